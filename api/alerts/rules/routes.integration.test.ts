import { expect, test } from 'vitest';
import { alertRuleCalls } from '../../../common/alerts/rules/http.ts';
import { ALERT_RULES_MAX, type AlertRule, defaultChannels } from '../../../common/alerts/rules/model.ts';
import { testServer } from '../../test-server.ts';
import { type Person, person, tabOf } from '../../testing/people.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';

const PATH = alertRuleCalls.list.path;
const TARGETS = alertRuleCalls.createAtPrice.path;
const priced = tokenRecord(1, { price: 1e-7 });
const server = await testServer({ stored: [priced, tokenRecord(2, { price: null })] });
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');
const admin = await person(server, 'Root', { isAdmin: true });

const input = { preset: 'Fresh & clean', perHour: 6, channels: defaultChannels };
const target = { address: addressNumber(1), target: { unit: 'price', value: 2e-7 }, channels: defaultChannels };
const post = (who: Person, json: unknown, path: string = PATH) => who.call(path, { method: 'POST', json });
const create = async (who: Person, json: unknown = input, path: string = PATH): Promise<AlertRule> =>
  alertRuleCalls.list.output.element.parse((await post(who, json, path)).body);
const listOf = async (who: Person) => alertRuleCalls.list.output.parse((await who.call(PATH)).body);

test('lists, changes, mutes and deletes the own alerts, and tells the other tabs', async () => {
  const carol = await person(server, 'Carol');
  const tab = await tabOf(server, carol);
  const made = await create(carol);
  expect(made).toMatchObject({ ...input, kind: 'preset', name: 'Fresh & clean', mutedUntil: null, problem: null });
  const atPrice = await create(carol, target, TARGETS);
  expect(atPrice).toMatchObject({ kind: 'target', address: addressNumber(1), direction: 'up' });
  expect(await listOf(carol)).toEqual([made, atPrice]);
  const change = { perHour: 2, muted: true, channels: { ...defaultChannels, sound: 'bell' } };
  const { body } = await carol.call(`${PATH}/${made.id}`, { method: 'PATCH', json: change });
  expect(body).toMatchObject({ id: made.id, perHour: 2, channels: { sound: 'bell' }, mutedUntil: expect.any(String) });
  const refused = await carol.call(`${PATH}/${atPrice.id}`, { method: 'PATCH', json: { perHour: 2 } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
  expect((await carol.call(`${PATH}/${made.id}`, { method: 'DELETE' })).body).toEqual({ ok: true });
  expect(await listOf(carol)).toEqual([atPrice]);
  await tab.settled();
  const ids = [made.id, atPrice.id, made.id, made.id];
  expect(tab.received).toEqual(ids.map((id) => ({ subject: 'alert-rules', op: 'saved', item: { id } })));
});

test.each<[string, unknown, string, number]>([
  ['an unknown ready preset', { ...input, preset: 'Fresh' }, PATH, 400],
  ['a preset that is not saved', { ...input, preset: 'a'.repeat(24) }, PATH, 404],
  ['a limit of 0', { ...input, perHour: 0 }, PATH, 400],
  ['an unknown sound', { ...input, channels: { ...defaultChannels, sound: 'horn' } }, PATH, 400],
  ['an unknown token', { ...target, address: addressNumber(9) }, TARGETS, 404],
  ['a token without a price', { ...target, address: addressNumber(2) }, TARGETS, 409],
  ['a negative price', { ...target, target: { unit: 'price', value: -1 } }, TARGETS, 400],
])('refuses %s', async (_what, json, path, status) => {
  expect((await post(alice, json, path)).status).toBe(status);
});

test('an equal price alert is refused, also at once, until the first is deleted', async () => {
  const dave = await person(server, 'Dave');
  const asked = await Promise.all(Array.from({ length: 5 }, () => post(dave, target, TARGETS)));
  expect(asked.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  const loud = { ...target, channels: { ...defaultChannels, sound: 'bell' } };
  const error = 'You already have this price alert.';
  expect(await post(dave, loud, TARGETS)).toMatchObject({ status: 409, body: { code: 'alert-exists', error } });
  const others = [
    { ...target, target: { unit: 'price', value: 3e-7 } },
    { ...target, target: { unit: 'price', value: 5e-8 } },
  ];
  for (const other of others) expect((await post(dave, other, TARGETS)).status).toBe(200);
  const [first, ...rest] = await listOf(dave);
  expect(rest).toHaveLength(2);
  await dave.call(`${PATH}/${first?.id}`, { method: 'DELETE' });
  expect((await post(dave, target, TARGETS)).status).toBe(200);
  expect((await post(bob, target, TARGETS)).status).toBe(200);
});

test("another user's preset and alert are not found, and forbidden for administrators", async () => {
  const { id } = await create(alice);
  for (const [other, status] of [
    [bob, 404],
    [admin, 403],
  ] as const) {
    expect((await other.call(`${PATH}/${id}`, { method: 'PATCH', json: { muted: true } })).status).toBe(status);
    expect((await other.call(`${PATH}/${id}`, { method: 'DELETE' })).status).toBe(status);
  }
  expect((await server.fetchJson(PATH)).status).toBe(401);
});

test('a user has 50 alerts at most, and reads what to do', async () => {
  const erin = await person(server, 'Erin');
  await create(erin, target, TARGETS);
  for (let made = 1; made < ALERT_RULES_MAX; made += 1) await create(erin);
  const error = 'You have reached the limit of 50 alerts. Delete one to add another.';
  expect(await post(erin, input)).toMatchObject({ status: 409, body: { code: 'limit-reached', error } });
  const another = { ...target, target: { unit: 'price', value: 3e-7 } };
  expect(await post(erin, another, TARGETS)).toMatchObject({ status: 409, body: { code: 'limit-reached', error } });
});
