import { expect, test } from 'vitest';
import { MINUTE } from '../../../common/time.ts';
import { testConnection } from '../../testing/database.ts';
import { coin } from '../testing/coin.ts';
import { addressesOf, engineScene, fresh, ordersOf, startEngine } from './testing/scene.ts';

const SOL = 1_000_000_000;
const connection = await testConnection();

test('a restart makes no second order, goes on with the stored past, and marks what it decides on it [T-32]', async () => {
  const first = await engineScene(connection);
  const { world, userId } = first;
  const trend = {
    type: 'price_based',
    configuration: { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 50, trendDuration: 600 } },
  } as const;
  await first.addStrategy(userId);
  const rising = await first.addStrategy(userId, { ...trend, name: 'Rising' });
  const [address = ''] = fresh(1);
  first.launch([address]);
  await first.orders(userId, 1);
  await first.stop();
  const at = new Date(world.time.now());
  await connection.collection('samples').insertOne({
    ...{ address, at, grain: 'full', price: 1, liquidityLamports: 10 * SOL, volumeLamports: 0, holders: 5 },
    expiresAt: new Date(at.getTime() + 60 * MINUTE),
  });

  world.time.skipped += MINUTE;
  const second = await startEngine(world);
  await second.decides();
  // It was detected before the restart: its past comes from the database.
  world.market.coins.set(address, coin({ address, price: 1.2 }));
  second.feed.detect([address], { price: 1.2 });
  second.feed.hydrate(address);
  await second.settle();
  expect(await ordersOf(world, userId)).toHaveLength(1);
  second.feed.change(address, { price: 1.6 });
  await expect
    .poll(async () => {
      second.feed.tick();
      return (await ordersOf(world, userId)).map(({ key }) => key);
    })
    .toContain(`buy:${rising}:${address}`);
  const bought = second.decided.filter(({ reason }) => reason === null);
  expect(bought).toMatchObject([{ planId: rising, isResumed: true }]);
  const keys = (await ordersOf(world, userId)).map(({ key }) => key).filter((key) => key.startsWith('buy:'));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toHaveLength(2);
});

test('only the process with the lease decides, and the next one goes on after it [T-32]', async () => {
  const first = await engineScene(connection);
  const { world, others, userId } = first;
  others.hasLease = [true, false];
  await first.addStrategy(userId);
  const second = await startEngine(world, others, 1);
  const [one = '', other = '', last = ''] = fresh(3);
  first.launch([one]);
  second.launch([one]);
  await first.orders(userId, 1);
  expect(second.engine.figures()).toMatchObject({ isDeciding: false, tokens: 0 });
  expect(second.feed.isFollowed).toBe(false);
  others.hasLease = [false, true];
  await second.decides();
  first.launch([other]);
  await first.settle();
  expect(await ordersOf(world, userId)).toHaveLength(1);
  await expect.poll(() => first.feed.isFollowed).toBe(false);
  expect(first.engine.figures()).toMatchObject({ isDeciding: false, tokens: 0, strategies: 0 });
  second.launch([one, other]);
  expect(addressesOf(await second.orders(userId, 2))).toEqual([one, other]);
  others.hasLease = [true, false];
  await first.decides();
  first.launch([one, other, last]);
  expect(addressesOf(await first.orders(userId, 3))).toEqual([one, other, last]);
});

test('a token that was detected while the lease had lapsed is bought once the lease is back [T-32]', async () => {
  const { userId, others, launch, orders, addStrategy } = await engineScene(connection);
  await addStrategy(userId);
  const missed = fresh(1);
  // Back before the engine looks at it again, as after a renewal that took too long.
  others.hasLease = [false];
  launch(missed);
  others.hasLease = [true];
  expect(addressesOf(await orders(userId, 1))).toEqual(missed);
});

test('an order that ended while the lease was lost is no longer on its way [T-32]', async () => {
  const { world, userId, others, engine, feed, launch, addStrategy, decides } = await engineScene(connection);
  await addStrategy(userId);
  world.chain.fates.push('late');
  launch(fresh(1));
  const statuses = async () => (await ordersOf(world, userId)).map(({ status }) => status);
  await expect.poll(() => world.chain.sends.size).toBe(1);
  expect(await statuses()).toEqual(['sent']);
  others.hasLease = [false];
  feed.tick();
  expect(feed.isFollowed).toBe(false);
  world.chain.mine(1);
  await expect.poll(statuses).toEqual(['confirmed']);
  expect(engine.pending()).toHaveLength(1);
  others.hasLease = [true];
  await decides();
  expect(engine.pending()).toEqual([]);
});

test('an order that is refused after the lease was lost is asked for again [T-32]', async () => {
  const { world, userId, others, feed, orders, addStrategy, decided } = await engineScene(connection);
  await addStrategy(userId);
  const [address = ''] = fresh(1);
  // Trading does not know the coin yet, so the order is refused.
  feed.detect([address]);
  feed.tick();
  expect(decided.at(-1)).toMatchObject({ address, reason: null });
  others.hasLease = [false];
  feed.tick();
  expect(feed.isFollowed).toBe(false);
  others.hasLease = [true];
  await expect.poll(() => feed.isFollowed).toBe(true);
  world.market.coins.set(address, coin({ address, price: 1 }));
  expect(addressesOf(await orders(userId, 1))).toEqual([address]);
});

test('nothing is bought while the database is away, and what would have been is judged again [T-32]', async () => {
  const { userId, world, others, launch, settle, orders, addStrategy, decided, decides } =
    await engineScene(connection);
  await addStrategy(userId);
  launch(fresh(1));
  await orders(userId, 1);
  others.isDatabaseAway = true;
  await expect
    .poll(async () => {
      launch(fresh(1));
      await settle();
      return decided.at(-1)?.reason?.code;
    })
    .toBe('database-away');
  // Those that were decided before are being made.
  const wanted = () => new Set(decided.filter(({ reason }) => reason === null).map(({ address }) => address));
  await expect.poll(async () => new Set(addressesOf(await ordersOf(world, userId)))).toEqual(wanted());
  const before = (await ordersOf(world, userId)).length;
  launch(fresh(1));
  await settle();
  expect((await ordersOf(world, userId)).length).toBe(before);
  others.isDatabaseAway = false;
  await decides();
  await expect
    .poll(async () => {
      await settle();
      return (await ordersOf(world, userId)).length;
    })
    .toBeGreaterThan(before);
});
