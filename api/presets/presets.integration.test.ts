import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { presetCalls } from '../../common/presets/http.ts';
import { type NewPreset, PRESETS_MAX, type Preset } from '../../common/presets/model.ts';
import { testServer } from '../test-server.ts';
import { type Person, person, tabOf } from '../testing/people.ts';

const PATH = presetCalls.list.path;
const input: NewPreset = { name: 'Fresh', choice: { f: 'age:-600,holders:30-', sort: 'volume', copies: 'hide' } };

const server = await testServer();
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');
const admin = await person(server, 'Root', { isAdmin: true });

const save = (owner: Person, preset: Partial<NewPreset> = {}) =>
  owner.call(PATH, { method: 'POST', json: { ...input, ...preset } });
const create = async (owner: Person, preset: Partial<NewPreset> = {}): Promise<Preset> =>
  presetCalls.create.output.parse((await save(owner, preset)).body);
const listOf = async (owner: Person) => presetCalls.list.output.parse((await owner.call(PATH)).body);
const replace = (who: Person, id: string, json: unknown) => who.call(`${PATH}/${id}`, { method: 'PUT', json });
const remove = (who: Person, id: string) => who.call(`${PATH}/${id}`, { method: 'DELETE' });

test("lists the signed-in user's own presets, oldest first, and replaces one as a whole", async () => {
  const carol = await person(server, 'Carol');
  const older = await create(carol);
  expect(older).toMatchObject(input);
  const newer = await create(carol, { name: 'Second', choice: {} });
  await create(bob);
  expect(await listOf(carol)).toEqual([older, newer]);
  const other = { name: 'Third', choice: { stage: 'pool' } };
  expect((await replace(carol, older.id, other)).body).toEqual({ ...older, ...other });
  expect(await listOf(carol)).toEqual([{ ...older, ...other }, newer]);
  expect((await server.fetchJson(PATH)).status).toBe(401);
});

test.each<[string, unknown, string]>([
  ['no name', { ...input, name: ' ' }, 'name'],
  ['a long name', { ...input, name: 'x'.repeat(41) }, 'name'],
  ['an unknown limit', { ...input, choice: { colour: 'red' } }, 'choice.colour'],
  ['an unknown field of ranges', { ...input, choice: { f: 'colour:1-2' } }, 'choice.f'],
])('a preset with %s is rejected, and the field is named', async (_what, json, field) => {
  const reply = await alice.call(PATH, { method: 'POST', json });
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
  expect(reply.body).toHaveProperty(['details', field]);
});

test('a name belongs to one preset of a user', async () => {
  const taken = { status: 409, body: { code: 'name-taken' } };
  const dave = await person(server, 'Dave');
  const replies = await Promise.all([save(dave), save(dave)]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const second = await create(dave, { name: 'Second' });
  expect(await replace(dave, second.id, input)).toMatchObject(taken);
  expect((await replace(dave, second.id, { ...input, name: 'Second' })).status).toBe(200);
  expect(await listOf(dave)).toHaveLength(2);
});

test("another user's preset is 404 as an unknown one, and 403 for administrators [S6-04]", async () => {
  const { id } = await create(alice, { name: 'Mine' });
  for (const [other, status] of [
    [bob, 404],
    [admin, 403],
  ] as const) {
    expect((await replace(other, id, input)).status).toBe(status);
    expect((await remove(other, id)).status).toBe(status);
  }
  expect(await remove(alice, id)).toMatchObject({ status: 200, body: { ok: true } });
  expect((await remove(alice, id)).status).toBe(404);
});

test('a user has 100 presets at most, and reads what to do', async () => {
  const erin = await person(server, 'Erin');
  for (let number = 0; number < PRESETS_MAX; number += 1) await create(erin, { name: `Preset ${number}` });
  const error = 'You have reached the limit of 100 presets. Delete one to add another.';
  expect(await save(erin, { name: 'One more' })).toMatchObject({ status: 409, body: { code: 'limit-reached', error } });
});

test('a saved choice with a limit that no longer exists is still listed', async () => {
  const frank = await person(server, 'Frank');
  const { id } = await create(frank);
  const choice = { colour: 'red', f: 'gone:1-2' };
  await server.connection.collection('presets').updateOne({ _id: new Types.ObjectId(id) }, { $set: { choice } });
  expect(await listOf(frank)).toMatchObject([{ id, choice }]);
});

test("each change of the presets reaches the user's other tabs", async () => {
  const grace = await person(server, 'Grace');
  const [tab, foreign] = [await tabOf(server, grace), await tabOf(server, bob)];
  const item = await create(grace);
  await remove(grace, item.id);
  await Promise.all([tab.settled(), foreign.settled()]);
  expect(tab.received).toEqual([
    { subject: 'presets', op: 'saved', item },
    { subject: 'presets', op: 'deleted', item: { id: item.id } },
  ]);
  expect(foreign.received).toEqual([]);
});
