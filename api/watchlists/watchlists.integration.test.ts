import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { tokenSchema } from '../../common/tokens/model.ts';
import { WATCHLIST_MAX, watchEntrySchema } from '../../common/watchlists/model.ts';
import { testServer } from '../test-server.ts';
import { type Person, person, tabOf } from '../testing/people.ts';
import { addressNumber, nothingLive, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { createWatchlists } from './service.ts';

const PATH = '/api/watchlists';
const [one, two, three] = [addressNumber(1), addressNumber(2), addressNumber(3)];

const server = await testServer();
const alice = await person(server, 'Alice');
await tokenModels(server.connection).tokens.insertMany([1, 2, 3].map((number) => tokenRecord(number)));

const add = (who: Person, list: string, address: string) => who.call(`${PATH}/${list}/${address}`, { method: 'PUT' });
const remove = (who: Person, list: string, address: string) =>
  who.call(`${PATH}/${list}/${address}`, { method: 'DELETE' });
const entriesOf = async (who: Person) => watchEntrySchema.array().parse((await who.call(PATH)).body);
const namesOf = async (who: Person) => (await entriesOf(who)).map(({ list, address }) => `${list} ${address}`);

/** What another process has. */
const service = () =>
  createWatchlists({
    connection: server.connection,
    bus: { emit() {} },
    market: nothingLive,
    clock: { now: Date.now },
  });

test('a token goes on the own watchlist and whitelist, newest first, and comes off again [S2.7-04]', async () => {
  const bob = await person(server, 'Bob');
  expect(await entriesOf(bob)).toEqual([]);
  const { status, body } = await add(bob, 'watch', one);
  expect([status, body]).toEqual([200, { list: 'watch', address: one, addedAt: expect.any(String) }]);
  await add(bob, 'white', one);
  await add(bob, 'watch', two);
  expect(await namesOf(bob)).toEqual([`watch ${two}`, `white ${one}`, `watch ${one}`]);
  expect(await remove(bob, 'watch', one)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await remove(bob, 'watch', one)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await namesOf(bob)).toEqual([`watch ${two}`, `white ${one}`]);
  expect(await entriesOf(alice)).toEqual([]);
});

test('adding twice changes nothing, not even the time', async () => {
  const first = await add(alice, 'watch', one);
  expect((await add(alice, 'watch', one)).body).toEqual(first.body);
  expect(await namesOf(alice)).toEqual([`watch ${one}`]);
});

test('the blacklist takes a token off the whitelist, and the reverse; watching goes on [S2.7-05]', async () => {
  const carol = await person(server, 'Carol');
  await add(carol, 'watch', one);
  await add(carol, 'white', one);
  await add(carol, 'black', one);
  expect(await namesOf(carol)).toEqual([`black ${one}`, `watch ${one}`]);
  await add(carol, 'white', one);
  expect(await namesOf(carol)).toEqual([`white ${one}`, `watch ${one}`]);
});

test('however the lists are changed at the same time, no token is on both', async () => {
  const dave = await person(server, 'Dave');
  const lists = Array.from({ length: 40 }, (_, number) => (number % 2 === 0 ? 'white' : 'black'));
  const replies = await Promise.all(lists.map((list) => add(dave, list, one)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await entriesOf(dave)).toHaveLength(1);
});

test('refuses the address of an unknown token and text that is no address', async () => {
  const unknown = { status: 404, body: { code: 'token-not-found' } };
  expect(await add(alice, 'watch', addressNumber(99))).toMatchObject(unknown);
  expect(await add(alice, 'watch', 'nonsense')).toMatchObject({ status: 400 });
  expect(await add(alice, 'grey', one)).toMatchObject({ status: 400 });
  expect((await server.fetchJson(PATH)).status).toBe(401);
});

test('the tokens of a list come latest added first; one that is gone stays on the list and is missing there', async () => {
  const erin = await person(server, 'Erin');
  const gone = addressNumber(4);
  const { tokens } = tokenModels(server.connection);
  await tokens.create(tokenRecord(4));
  for (const address of [two, gone, three]) await add(erin, 'watch', address);
  await add(erin, 'black', one);
  await tokens.deleteOne({ _id: gone });
  const { body, headers } = await erin.call(`${PATH}/watch/tokens`);
  const all = await erin.call('/api/tokens');
  for (const name of ['X-Feed-Epoch', 'X-Feed-Seq']) {
    expect(headers.get(name)).not.toBeNull();
    expect(headers.get(name)).toBe(all.headers.get(name));
  }
  expect(
    tokenSchema
      .array()
      .parse(body)
      .map(({ address }) => address),
  ).toEqual([three, two]);
  expect(await namesOf(erin)).toContain(`watch ${gone}`);
  expect(await add(erin, 'black', gone)).toMatchObject({ status: 200 });
  expect(await remove(erin, 'watch', gone)).toMatchObject({ status: 200 });
});

test('a list takes 1,000 tokens and not one more, however many come at the same time', async () => {
  const frank = await person(server, 'Frank');
  const numbers = Array.from({ length: WATCHLIST_MAX + 10 }, (_, number) => number + 1000);
  await tokenModels(server.connection).tokens.insertMany(numbers.map((number) => tokenRecord(number)));
  const addedAt = new Date();
  const watch = numbers.slice(0, WATCHLIST_MAX - 5).map((number) => ({ address: addressNumber(number), addedAt }));
  await server.connection
    .collection('watchlists')
    .insertOne({ _id: new Types.ObjectId(frank.id), watch, white: [], black: [] });
  const late = numbers.slice(WATCHLIST_MAX - 5).map((number) => addressNumber(number));
  // As two processes would.
  const [first, second] = [service(), service()];
  const outcomes = await Promise.allSettled(
    late.map((address, index) => (index % 2 === 0 ? first : second).add(frank.id, 'watch', address)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'limit-reached' }) };
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual(Array.from({ length: 10 }, () => refused));
  expect(await entriesOf(frank)).toHaveLength(WATCHLIST_MAX);
  expect(await add(frank, 'watch', one)).toMatchObject({ status: 409, body: { code: 'limit-reached' } });
  expect(await add(frank, 'black', one)).toMatchObject({ status: 200 });
  expect((await first.of(frank.id)).watch.size).toBe(WATCHLIST_MAX);
});

test('the first entries of a user may come at the same time through two processes', async () => {
  for (let round = 0; round < 10; round += 1) {
    const userId = new Types.ObjectId().toHexString();
    await Promise.all([service().add(userId, 'watch', one), service().add(userId, 'white', two)]);
    expect(await service().of(userId)).toEqual({ watch: new Set([one]), white: new Set([two]), black: new Set() });
  }
});

test('each change, and the removal it causes on the opposite list, reaches the other tabs of that user alone [S2.7-05]', async () => {
  const grace = await person(server, 'Grace');
  const [first, second, foreign] = [await tabOf(server, grace), await tabOf(server, grace), await tabOf(server, alice)];
  const white = await add(grace, 'white', one);
  await add(grace, 'white', one);
  const black = await add(grace, 'black', one);
  await remove(grace, 'black', one);
  await remove(grace, 'black', one);
  await Promise.all([first.settled(), second.settled(), foreign.settled()]);
  expect(first.received).toEqual([
    { subject: 'watchlists', op: 'saved', item: white.body },
    { subject: 'watchlists', op: 'deleted', item: { list: 'white', address: one } },
    { subject: 'watchlists', op: 'saved', item: black.body },
    { subject: 'watchlists', op: 'deleted', item: { list: 'black', address: one } },
  ]);
  expect(second.received).toEqual(first.received);
  expect(foreign.received).toEqual([]);
});
