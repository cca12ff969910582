import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import type { EventSink } from '../../events/bus.ts';
import { openStrategies } from '../../strategies/service.ts';
import { testConnection } from '../../testing/database.ts';
import { addressNumber, nothingLive, tokenRecord } from '../../testing/tokens.ts';
import { tokenModels } from '../../tokens/model.ts';
import { createWatchlists } from '../../watchlists/service.ts';
import { createMarks } from './marks.ts';
import { engineScene, fresh, ordersOf } from './testing/scene.ts';

const connection = await testConnection();
const clock = { now: Date.now };
/** The bus of another process, of which no event arrives. */
const lost: EventSink = { emit: () => {} };
const elsewhere = await openStrategies({ connection, bus: lost, clock });
const callerOf = (userId: string) => ({ _id: new Types.ObjectId(userId), username: 'test', isAdmin: false });

test('a plan that another process switched off, and on again, is so in the engine without any event', async () => {
  const { userId, engine, feed, launch, settle, addStrategy, world, buysMoreThan } = await engineScene(connection);
  const id = await addStrategy(userId);
  await elsewhere.change(callerOf(userId), id, { isActive: false });
  await expect.poll(() => engine.plan(userId, id)).toBeNull();
  launch(fresh(1));
  await settle();
  expect(await ordersOf(world, userId)).toEqual([]);
  await elsewhere.change(callerOf(userId), id, { isActive: true });
  await expect
    .poll(() => {
      feed.tick();
      return engine.explain(id, 'nothing', world.time.now())?.code;
    })
    .not.toBe('inactive');
  world.time.skipped += 100;
  launch(fresh(1));
  await buysMoreThan(userId, 0);
});

test.each([
  ['switched off', { isActive: false }],
  ['given another limit', { maxScamProbability: 1 }],
])('a plan that was %s buys nothing at the hold, even before the engine has noticed', async (_, change) => {
  const { userId, world, launch, orders, addStrategy } = await engineScene(connection);
  const id = await addStrategy(userId);
  // The engine looks by this clock, so it does not look again.
  world.time.stop();
  await elsewhere.change(callerOf(userId), id, change);
  launch(fresh(1));
  const [order] = await orders(userId, 1);
  // It was decided and made.
  expect(order).toMatchObject({ status: 'failed', failure: { code: 'inactive' }, attempts: [] });
});

test('a stop for all that another process stored holds at once, and is known to the engine without any event', async () => {
  const { userId, world, engine, feed, trading, launch, settle, addStrategy } = await engineScene(connection);
  const id = await addStrategy(userId);
  await trading.accounts.stopAll.stop({ at: new Date(), by: 'admin' });
  launch(fresh(1));
  await settle();
  expect((await ordersOf(world, userId)).filter(({ attempts }) => attempts.length > 0)).toEqual([]);
  await expect
    .poll(() => {
      feed.tick();
      return engine.explain(id, 'nothing', world.time.now())?.code;
    })
    .toBe('stopped-all');
  await trading.accounts.stopAll.resume();
});

test('every change that a user’s plans depend on is another mark', async () => {
  const { userId, addStrategy } = await engineScene(connection);
  const id = await addStrategy(userId);
  const _id = new Types.ObjectId(userId);
  const read = createMarks(connection);
  const watchlists = createWatchlists({ connection, bus: lost, market: nothingLive, clock });
  const address = addressNumber(1);
  await tokenModels(connection).tokens.create(tokenRecord(1));
  const versionOf = (collection: string) =>
    connection.collection(collection).updateOne({ _id }, { $inc: { version: 1 } }, { upsert: true });
  const changes = [
    () => elsewhere.change(callerOf(userId), id, { name: 'Another name' }),
    () => versionOf('tradingAccounts'),
    () => versionOf('wallets'),
    () => watchlists.add(userId, 'white', address),
    () => watchlists.add(userId, 'black', address),
    () => watchlists.remove(userId, 'black', address),
    () => connection.collection('users').insertOne({ _id, isActive: false }),
    () => elsewhere.remove(callerOf(userId), id),
  ];
  const marks = [(await read([userId])).get(userId)];
  for (const change of changes) {
    await change();
    marks.push((await read([userId])).get(userId));
  }
  expect(new Set(marks).size).toBe(changes.length + 1);
  expect([...(await read([userId]))]).toEqual([[userId, marks.at(-1)]]);
});
