import { Types } from 'mongoose';
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../common/time.ts';
import { testConnection } from '../../testing/database.ts';
import { type PositionRecord, positionModel } from '../positions/model.ts';
import { newUser } from '../positions/testing/scene.ts';
import { addressesOf, engineScene, fresh, ordersOf } from './testing/scene.ts';

const SOL = 1_000_000_000;
const connection = await testConnection();

test.each([
  ['too little', { funds: 0 }, { funds: SOL }],
  ['unknown', { isAway: true }, { isAway: false }],
])(
  'while the money of a wallet on a chain is %s no order is made, and a token that waited is bought later',
  async (_, before, after) => {
    const { userId, world, launch, settle, orders, addStrategy } = await engineScene(connection);
    Object.assign(world.chain, before);
    await addStrategy(userId);
    const waiting = fresh(1);
    launch(waiting);
    await settle();
    expect(await ordersOf(world, userId)).toEqual([]);
    Object.assign(world.chain, after);
    world.time.skipped += 11 * SECOND;
    expect(addressesOf(await orders(userId, 1))).toEqual(waiting);
  },
);

describe('tokens that a plan considers', () => {
  test('are those detected after it was switched on, among thousands of known ones [S1-04, T-31]', async () => {
    const { userId, world, feed, launch, settle, orders, addStrategy, addRule } = await engineScene(connection);
    const known = fresh(5_000);
    feed.detect(known);
    world.time.skipped += MINUTE;
    await addStrategy(userId);
    await addRule(userId);
    await settle();
    expect(await ordersOf(world, userId)).toEqual([]);
    const next = fresh(3);
    launch(next);
    const made = await orders(userId, 6);
    expect(new Set(addressesOf(made))).toEqual(new Set(next));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 'confirmed'));
    expect(new Set(made.map(({ cause }) => `${cause.kind} ${cause.name}`))).toEqual(
      new Set(['strategy Every launch', 'rule Low risk']),
    );
  });

  test('are only later ones after it was switched on again, or its limits were changed, not after a new name [T-31]', async () => {
    const { userId, world, feed, launch, settle, orders, addStrategy, changeStrategy } = await engineScene(connection);
    const [risky = '', second = '', third = ''] = fresh(3);
    const id = await addStrategy(userId, { maxScamProbability: 5 });
    launch([risky], { risk: 20 });
    await settle();
    world.time.skipped += 100;
    await changeStrategy(userId, id, { maxScamProbability: 50 });
    await settle();
    expect(await ordersOf(world, userId)).toEqual([]);
    launch([second], { risk: 60 });
    await changeStrategy(userId, id, { name: 'Another name', isActive: true });
    feed.change(second, { risk: 40 });
    expect(addressesOf(await orders(userId, 1))).toEqual([second]);
    await changeStrategy(userId, id, { isActive: false });
    launch([third]);
    world.time.skipped += 100;
    await changeStrategy(userId, id, { isActive: true });
    await settle();
    const last = fresh(1);
    launch(last);
    expect(addressesOf(await orders(userId, 2))).toEqual([second, ...last]);
  });
});

describe('a purchase', () => {
  test('is made once for a strategy and a token, whatever becomes of order, strategy and token [S3-45]', async () => {
    const { userId, world, feed, launch, settle, orders, addStrategy, changeStrategy, removeStrategy } =
      await engineScene(connection);
    const id = await addStrategy(userId);
    const [bought = '', failed = ''] = fresh(2);
    launch([bought]);
    await orders(userId, 1);
    world.chain.fates.push('reverts', 'reverts', 'reverts');
    launch([failed]);
    const [, second] = await orders(userId, 2);
    expect(second).toMatchObject({ status: 'failed', key: `buy:${id}:${failed}` });
    await changeStrategy(userId, id, { name: 'Renamed' });
    feed.remove(bought);
    feed.remove(failed);
    await settle();
    launch([bought, failed]);
    await settle();
    expect(await ordersOf(world, userId)).toHaveLength(2);
    await removeStrategy(userId, id);
    feed.change(bought, { price: 2 });
    await settle();
    expect(await ordersOf(world, userId)).toHaveLength(2);
  });

  test('opens a position of its plan, with the exits of the strategy, on the one configured cluster [S3-49]', async () => {
    const { userId, world, launch, orders, addStrategy } = await engineScene(connection);
    const id = await addStrategy(userId, { stopLoss: 12, takeProfit: 40, name: 'With exits' });
    launch(fresh(1));
    const [order] = await orders(userId, 1);
    expect(order).toMatchObject({ cluster: world.chain.executor.cluster, mode: 'local', lamports: SOL / 10 });
    const position = await positionModel(connection)
      .findOne({ userId: new Types.ObjectId(userId) })
      .lean<PositionRecord>();
    expect(position).toMatchObject({
      ...{ origin: `strategy:${id}`, originName: 'With exits', cluster: 'local' },
      exits: { stopLossPercent: 12, takeProfitPercent: 40 },
    });
  });

  test('of a whitelisted token skips the limit of the risk, and no other one [S2.7-07]', async () => {
    const { userId, world, others, launch, settle, orders, addRule, decided } = await engineScene(connection);
    const [risky = '', white = '', shallow = ''] = fresh(3);
    others.white.add(white).add(shallow);
    await addRule(userId, { maxRisk: 30, minLiquidityLamports: SOL });
    launch([risky, white], { risk: 90 });
    launch([shallow], { risk: 90, liquidity: 0.5 });
    expect(addressesOf(await orders(userId, 1))).toEqual([white]);
    await settle();
    expect(await ordersOf(world, userId)).toHaveLength(1);
    const reasonOf = (address: string) => decided.findLast((one) => one.address === address)?.reason?.code;
    expect([risky, white, shallow].map(reasonOf)).toEqual(['high-risk', undefined, 'low-liquidity']);
  });

  test('needs a wallet [S6-11]', async () => {
    const { world, launch, settle, orders, addRule, decided, bus } = await engineScene(connection);
    const userId = newUser(world);
    const address = world.wallets.get(userId) ?? '';
    world.wallets.delete(userId);
    await addRule(userId);
    launch(fresh(2));
    await settle();
    expect(await ordersOf(world, userId)).toEqual([]);
    expect(decided.map(({ reason }) => reason?.code)).toContain('no-wallet');
    world.wallets.set(userId, address);
    bus.emit('wallet-changed', { userId, wallet: { walletAddress: address, hasKey: true, savedAt: null } });
    await orders(userId, 2);
  });

  test('is never more than the budget, also of many tokens in one tick', async () => {
    const { world, launch, settle, orders, addStrategy, decided } = await engineScene(connection);
    // With the default limits: 2 SOL a day, 10 open positions.
    const userId = newUser(world);
    await addStrategy(userId, { buyLamports: SOL / 2 });
    launch(fresh(12));
    const made = await orders(userId, 4);
    await settle();
    expect(await ordersOf(world, userId)).toHaveLength(4);
    expect(made.reduce((sum, { lamports }) => sum + (lamports ?? 0), 0)).toBe(2 * SOL);
    expect(decided.filter(({ reason }) => reason?.code === 'day-budget').length).toBeGreaterThanOrEqual(8);
  });

  test('is not made after the response to a stop, and again after the end of it', async () => {
    const { userId, world, launch, settle, orders, buysMoreThan, addStrategy, trading } = await engineScene(connection);
    await addStrategy(userId);
    launch(fresh(1));
    await orders(userId, 1);
    launch(fresh(5));
    await trading.accounts.stop(userId, 'user');
    const stopped = new Set((await ordersOf(world, userId)).map(({ key }) => key));
    launch(fresh(5));
    await settle();
    const after = await ordersOf(world, userId);
    // One that was being made is stored after the response, and comes to nothing.
    expect(after.filter(({ key, attempts }) => !stopped.has(key) && attempts.length > 0)).toEqual([]);
    await trading.accounts.resume(userId);
    await settle();
    launch(fresh(1));
    await buysMoreThan(userId, after.length);
  });

  test('is not made for a deactivated user, nor while an administrator has stopped all', async () => {
    const { userId, world, others, engine, feed, launch, settle, buysMoreThan, addStrategy, trading, bus, decided } =
      await engineScene(connection);
    const id = await addStrategy(userId);
    const refusedBy = () => {
      feed.tick();
      return engine.explain(id, 'nothing', Date.now())?.code;
    };
    others.inactive.add(userId);
    bus.emit('wallet-changed', { userId, wallet: { walletAddress: '', hasKey: true, savedAt: null } });
    await expect.poll(refusedBy).toBe('user-inactive');
    launch(fresh(1));
    await settle();
    await trading.accounts.stopAll.stop({ at: new Date(), by: 'admin' });
    await trading.accounts.emitAll();
    await expect.poll(refusedBy).toBe('stopped-all');
    // Only now: users on a chain are read again at any moment.
    others.inactive.delete(userId);
    launch(fresh(1));
    await settle();
    // A decision made before the stop has arrived ends without an attempt.
    const made = (await ordersOf(world, userId)).filter(({ failure }) => failure?.code !== 'stopped-all');
    expect(made).toEqual([]);
    expect(new Set(decided.map(({ reason }) => reason?.code))).toEqual(new Set(['user-inactive', 'stopped-all']));
    await trading.accounts.stopAll.resume();
    await trading.accounts.emitAll();
    await settle();
    launch(fresh(1));
    await buysMoreThan(userId, 0);
  });
});

test('a source that goes away for a moment while it is looked at stops no purchase', async () => {
  const { userId, feed, launch, orders, addStrategy } = await engineScene(connection);
  await addStrategy(userId);
  const reads = [true, true, false];
  Object.defineProperty(feed, 'isLive', { get: () => reads.shift() ?? true });
  const addresses = fresh(1);
  launch(addresses);
  expect(addressesOf(await orders(userId, 1))).toEqual(addresses);
});

test('an engine without plans follows no token', async () => {
  const { userId, feed, launch, addStrategy, removeStrategy, engine, orders } = await engineScene(connection);
  expect(engine.figures()).toMatchObject({ tokens: 0, candidates: 0, lagMs: { p50: null, p99: null } });
  const id = await addStrategy(userId);
  expect(feed.isFollowed).toBe(true);
  launch(fresh(2));
  await orders(userId, 2);
  expect(engine.figures()).toMatchObject({ strategies: expect.any(Number), tokens: 2 });
  expect(engine.figures().lagMs.p50).toBeGreaterThanOrEqual(0);
  await removeStrategy(userId, id);
  await expect.poll(() => feed.isFollowed).toBe(false);
  expect(engine.figures().tokens).toBe(0);
});
