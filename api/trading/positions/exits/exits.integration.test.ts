import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Exits, exitSlippageBps, noExits } from '../../../../common/trading/account.ts';
import { testDatabase } from '../../../testing/database.ts';
import { orderModel } from '../../orders/model.ts';
import type { OrderRecord } from '../../orders/record.ts';
import { positionModel } from '../model.ts';
import type { PositionRecord } from '../record.ts';
import { MINT } from '../testing/orders.ts';
import {
  createWorld,
  newUser,
  type RunningTrading,
  request,
  startTrading,
  storedPositions,
  trade,
  type World,
} from '../testing/scene.ts';

const AMOUNT = 100_000_000;
const exits: Exits = { ...noExits, stopLossPercent: 20, takeProfitPercent: 50 };
let connection: Connection;
let world: World;
let running: RunningTrading;
let userId: string;

beforeAll(async () => {
  connection = await mongoose.createConnection(testDatabase().uri, { autoIndex: false }).asPromise();
});
afterAll(() => connection.close());
beforeEach(async () => {
  await positionModel(connection).deleteMany({});
  world = createWorld(connection);
  world.market.move([1]);
  running = await startTrading(world);
  userId = newUser(world);
});

const buy = (lamports = AMOUNT) => trade(running, userId, request('buy', lamports));
const exitOrders = () =>
  orderModel(connection)
    .find({ key: /^exit:/, wallet: world.wallets.get(userId) ?? '' })
    .sort({ _id: 1 })
    .lean<OrderRecord[]>();
async function position(): Promise<PositionRecord> {
  const [only, ...others] = await storedPositions(world, userId);
  expect(others).toEqual([]);
  return only ?? expect.fail('no position');
}
/** Returns the status of the user's only position. */
const status = async (): Promise<string> => (await position()).status;
const held = () => world.chain.tokens.get(`${world.wallets.get(userId)} ${MINT}`);

/** Buys, and sets the exits of the position. */
async function bought(set: Exits = exits): Promise<string> {
  const order = await buy();
  const id = order.positionId?.toHexString() ?? expect.fail('no position');
  await positionModel(connection).updateOne({ _id: order.positionId }, { $set: { exits: set }, $inc: { version: 1 } });
  await running.stop();
  running = await startTrading(world);
  return id;
}

test('a dip that recovers within one tick sells once, by the stop loss [T-13, S3-46]', async () => {
  const id = await bought();
  world.market.move([0.95, 0.79, 0.5, 1.2]);
  world.market.move([1.2]);
  await expect.poll(status).toBe('closed');
  const orders = await exitOrders();
  expect(orders).toMatchObject([
    {
      key: `exit:${id}:1`,
      cause: { kind: 'exit', name: 'stop loss' },
      status: 'confirmed',
      tokens: String(AMOUNT),
      slippageBps: exitSlippageBps,
      isWholePosition: true,
    },
  ]);
  expect(held()).toBe(0n);
  expect(running.positions.map(({ status }) => status)).toContain('closing');
});

test('the first limit of several prices wins', async () => {
  await bought();
  world.market.move([1.6, 0.1]);
  await expect.poll(status).toBe('closed');
  expect(await exitOrders()).toMatchObject([{ cause: { name: 'take profit' } }]);
});

test('prices within the limits, and positions without them, sell nothing', async () => {
  await bought();
  const other = newUser(world);
  await trade(running, other, request('buy', AMOUNT));
  world.market.move([0.81, 1.49, null]);
  // The one with limits is judged after the one without: when it is sold, the other one was judged as well.
  world.market.move([0.8]);
  await expect.poll(status).toBe('closed');
  expect(await storedPositions(world, other)).toMatchObject([{ status: 'open', tokens: String(AMOUNT) }]);
});

test('a price that fell while nothing ran sells after the restart [T-13]', async () => {
  await bought();
  await running.stop();
  world.market.move([0.3]);
  running = await startTrading(world);
  await expect.poll(status).toBe('closed');
  expect(await exitOrders()).toHaveLength(1);
});

test.each(['before its order', 'after its order'])(
  'a fired exit that a crash ended %s is completed, once',
  async (when) => {
    const id = await bought();
    await running.stop();
    const exit = { kind: 'stop loss', failures: 0 };
    const fired = { status: 'closing', exit, exitSeq: 1 };
    await positionModel(connection).updateOne({ _id: id }, { $set: fired, $inc: { version: 1 } });
    if (when === 'after its order') {
      // The worker was not running any more.
      const { placing } = running.trading;
      const asked = { ...request('sell', 100), key: `exit:${id}:1`, positionId: id };
      await placing.place(userId, { ...asked, cause: { kind: 'exit', name: 'stop loss' }, slippageBps: 1_500 });
    }
    // The price has recovered long ago.
    world.market.move([1.1]);
    running = await startTrading(world);
    await expect.poll(status).toBe('closed');
    expect(await exitOrders()).toHaveLength(1);
    expect(world.chain.landed.size).toBe(2);
  },
);

test('three failures make it stuck, with one report, and the next price sells', async () => {
  const id = await bought();
  world.chain.fates.push('refused', 'refused', 'refused');
  world.market.move([0.5]);
  await expect.poll(status).toBe('stuck');
  const [failed] = await exitOrders();
  expect(failed).toMatchObject({ status: 'failed', attempts: [{}, {}, {}] });
  world.chain.fates.push('refused', 'refused', 'refused');
  world.time.skipped += 2_000;
  world.market.move([0.9]);
  await expect.poll(async () => (await exitOrders()).length).toBe(2);
  await expect.poll(async () => (await exitOrders())[1]?.open).toBe(false);
  await expect.poll(async () => (await position()).exitSeq).toBe(3);
  world.time.skipped += 2_000;
  await expect
    .poll(async () => {
      world.market.move([0.9]);
      return (await position()).status;
    })
    .toBe('closed');
  expect((await exitOrders()).map(({ key, slippageBps }) => [key, slippageBps])).toEqual([
    [`exit:${id}:1`, exitSlippageBps],
    [`exit:${id}:2`, 5_000],
    [`exit:${id}:3`, 5_000],
  ]);
  // No other status comes between the failures.
  const statuses = running.positions.map((one) => one.status);
  expect(statuses.slice(statuses.indexOf('stuck'), statuses.lastIndexOf('stuck'))).not.toContain('closing');
});

test('waits for the node, and sells when it is back', async () => {
  await bought();
  world.chain.isAway = true;
  world.market.move([0.5]);
  await expect.poll(status).toBe('closing');
  world.chain.isAway = false;
  await expect.poll(status).toBe('closed');
  expect(running.positions.map((one) => one.status)).not.toContain('stuck');
});

test('sells while the user has stopped, beyond every limit, and a token that was removed [T-13, T-18]', async () => {
  await bought();
  const { accounts } = running.trading;
  await accounts.stop(userId, 'user');
  const by = {
    user: { _id: (await position()).userId, username: 'pat' },
    address: '::1',
    confirmReplacement: async () => {},
  };
  await accounts.change(userId, { limits: { perTradeLamports: 1_000_000, perDayLamports: 1_000_000 } }, by);
  world.market.move([0.5]);
  world.market.coins.delete(MINT);
  await expect.poll(status).toBe('closed');
});

test('a position in another wallet than the present one is stuck at once, and stays', async () => {
  await bought();
  world.wallets.set(userId, 'another wallet');
  world.market.move([0.5]);
  await expect.poll(status).toBe('stuck');
  expect(await position()).toMatchObject({ status: 'stuck', tokens: String(AMOUNT) });
});

test('new limits of a stuck exit are judged afresh', async () => {
  const id = await bought();
  world.chain.fates.push('refused', 'refused', 'refused');
  world.market.move([0.7]);
  await expect.poll(status).toBe('stuck');
  await running.opened.changeExits(id, { ...noExits, stopLossPercent: 50 });
  expect(await position()).toMatchObject({ status: 'open', exit: null });
  world.time.skipped += 2_000;
  world.market.move([0.6]);
  world.market.move([0.5]);
  await expect.poll(status).toBe('closed');
  expect(await exitOrders()).toHaveLength(2);
});

test('an exit that is removed while its order is out sells nothing more once the order fails', async () => {
  const id = await bought();
  world.chain.fates.push('refused', 'refused', 'refused', 'dropped', 'refused', 'refused');
  world.market.move([0.5]);
  await expect.poll(status).toBe('stuck');
  world.time.skipped += 2_000;
  world.market.move([0.5]);
  await expect.poll(async () => (await exitOrders())[1]?.status).toBe('sent');
  await running.opened.changeExits(id, { ...noExits, takeProfitPercent: 50 });
  world.chain.mine(1_000);
  await expect.poll(async () => (await exitOrders())[1]?.open).toBe(false);
  expect(await position()).toMatchObject({ status: 'open', exit: null });
  world.market.move([1.6]);
  await expect.poll(status).toBe('closed');
  expect((await exitOrders()).map(({ cause }) => cause.name)).toEqual(['stop loss', 'stop loss', 'take profit']);
});

test('each time that an exit gets stuck is an episode of its own', async () => {
  const id = await bought();
  world.chain.fates.push('refused', 'refused', 'refused');
  world.market.move([0.7]);
  await expect.poll(status).toBe('stuck');
  await running.opened.changeExits(id, { ...noExits, stopLossPercent: 50 });
  world.chain.fates.push('refused', 'refused', 'refused', 'refused', 'refused', 'refused');
  world.time.skipped += 2_000;
  world.market.move([0.5]);
  await expect.poll(status).toBe('stuck');
  world.time.skipped += 2_000;
  world.market.move([0.5]);
  await expect.poll(async () => (await position()).exitSeq).toBe(4);
  expect(new Set(running.stuck)).toHaveProperty('size', 2);
});

test('a sale of all by hand marks the position until it is over', async () => {
  await buy();
  world.chain.fates.push('late');
  const placement = await running.trading.placing.place(userId, request('sell', 100));
  expect(placement.type).toBe('placed');
  await expect.poll(status).toBe('closing');
  world.chain.mine(1_000);
  await expect.poll(status).toBe('closed');
});
