import { beforeEach, expect, test } from 'vitest';
import { exitSlippageBps, noExits } from '../../../../common/trading/account.ts';
import { testConnection } from '../../../testing/database.ts';
import { actor } from '../../accounts/testing/accounts.ts';
import { MINT } from '../../testing/coin.ts';
import { positionModel } from '../model.ts';
import { AMOUNT, createExitScene, type ExitScene } from '../testing/exit-scene.ts';
import { createWorld, newUser, request, storedPositions, trade, type World } from '../testing/scene.ts';

const exits = { stopLossPercent: 20, takeProfitPercent: 50 };
const connection = await testConnection();
let world: World;
let scene: ExitScene;

beforeEach(async () => {
  await positionModel(connection).deleteMany({});
  world = createWorld(connection);
  world.market.move([1]);
  scene = await createExitScene(world);
});

test('a dip that recovers within one tick sells once, by the stop loss [T-13, S3-46]', async () => {
  const id = await scene.bought(exits);
  world.market.move([0.95, 0.79, 0.5, 1.2]);
  world.market.move([1.2]);
  await expect.poll(scene.status).toBe('closed');
  const orders = await scene.orders();
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
  expect(scene.held()).toBe(0n);
  expect(scene.running().positions.map(({ status }) => status)).toContain('closing');
});

test('the first limit of several prices wins', async () => {
  await scene.bought(exits);
  world.market.move([1.6, 0.1]);
  await expect.poll(scene.status).toBe('closed');
  expect(await scene.orders()).toMatchObject([{ cause: { name: 'take profit' } }]);
});

test('prices within the limits, and positions without them, sell nothing', async () => {
  await scene.bought(exits);
  const other = newUser(world);
  await trade(scene.running(), other, request('buy', AMOUNT));
  world.market.move([0.81, 1.49, null]);
  // The one with limits is judged after the one without: when it is sold, the other one was judged as well.
  world.market.move([0.8]);
  await expect.poll(scene.status).toBe('closed');
  expect(await storedPositions(world, other)).toMatchObject([{ status: 'open', tokens: String(AMOUNT) }]);
});

test('a price that fell while nothing ran sells after the restart [T-13]', async () => {
  await scene.bought(exits);
  await scene.restart(() => world.market.move([0.3]));
  await expect.poll(scene.status).toBe('closed');
  expect(await scene.orders()).toHaveLength(1);
});

test.each(['before its order', 'after its order'])(
  'a fired exit that a crash ended %s is completed, once',
  async (when) => {
    const id = await scene.bought(exits);
    await scene.restart(async () => {
      const exit = { kind: 'stop loss', sharePercent: 100, steps: [], next: null, failures: 0, stuckId: null };
      const fired = { status: 'closing', exit, exitSeq: 1 };
      await positionModel(connection).updateOne({ _id: id }, { $set: fired, $inc: { version: 1 } });
      if (when === 'after its order') {
        // The worker was not running any more.
        const asked = { ...request('sell', 100), key: `exit:${id}:1`, positionId: id };
        const cause = { kind: 'exit', name: 'stop loss' } as const;
        await scene.running().trading.placing.place(scene.userId, { ...asked, cause, slippageBps: 1_500 });
      }
      // The price has recovered long ago.
      world.market.move([1.1]);
    });
    await expect.poll(scene.status).toBe('closed');
    expect(await scene.orders()).toHaveLength(1);
    expect(world.chain.landed.size).toBe(2);
  },
);

test('three failures make it stuck, with one report, and the next price sells', async () => {
  const id = await scene.bought(exits);
  world.chain.fates.push('refused', 'refused', 'refused');
  world.market.move([0.5]);
  await scene.becomes('stuck');
  const [failed] = await scene.orders();
  expect(failed).toMatchObject({ status: 'failed', attempts: [{}, {}, {}] });
  world.chain.fates.push('refused', 'refused', 'refused');
  world.time.skipped += 2_000;
  world.market.move([0.9]);
  await expect.poll(async () => (await scene.orders()).length).toBe(2);
  await expect.poll(async () => (await scene.orders())[1]?.open).toBe(false);
  await expect.poll(async () => (await scene.position()).exitSeq).toBe(3);
  world.time.skipped += 2_000;
  await expect
    .poll(async () => {
      world.market.move([0.9]);
      return (await scene.position()).status;
    })
    .toBe('closed');
  expect((await scene.orders()).map(({ key, slippageBps }) => [key, slippageBps])).toEqual([
    [`exit:${id}:1`, exitSlippageBps],
    [`exit:${id}:2`, 5_000],
    [`exit:${id}:3`, 5_000],
  ]);
  // No other status comes between the failures.
  const statuses = scene.running().positions.map((one) => one.status);
  expect(statuses.slice(statuses.indexOf('stuck'), statuses.lastIndexOf('stuck'))).not.toContain('closing');
});

test('waits for the node, and sells when it is back', async () => {
  await scene.bought(exits);
  world.chain.isAway = true;
  world.market.move([0.5]);
  await expect.poll(scene.status).toBe('closing');
  world.chain.isAway = false;
  await expect.poll(scene.status).toBe('closed');
  expect(scene.running().positions.map((one) => one.status)).not.toContain('stuck');
});

test('sells while the user has stopped, beyond every limit, and a token that was removed [T-13, T-18]', async () => {
  await scene.bought(exits);
  const { accounts } = scene.running().trading;
  await accounts.stop(scene.userId, 'user');
  const { by } = actor();
  await accounts.change(scene.userId, { limits: { perTradeLamports: 1_000_000, perDayLamports: 1_000_000 } }, by);
  world.market.move([0.5]);
  world.market.coins.delete(MINT);
  await expect.poll(scene.status).toBe('closed');
});

test('a position in another wallet than the present one is stuck at once, and stays', async () => {
  await scene.bought(exits);
  world.wallets.set(scene.userId, 'another wallet');
  world.market.move([0.5]);
  await scene.becomes('stuck');
  expect(await scene.position()).toMatchObject({ status: 'stuck', tokens: String(AMOUNT) });
});

test('new limits of a stuck exit are judged afresh', async () => {
  const id = await scene.bought(exits);
  world.chain.fates.push('refused', 'refused', 'refused');
  world.market.move([0.7]);
  await scene.becomes('stuck');
  await scene.running().opened.changeExits(id, { ...noExits, stopLossPercent: 50 });
  expect(await scene.position()).toMatchObject({ status: 'open', exit: null });
  world.time.skipped += 2_000;
  world.market.move([0.6]);
  world.market.move([0.5]);
  await expect.poll(scene.status).toBe('closed');
  expect(await scene.orders()).toHaveLength(2);
});

test('an exit that is removed while its order is out sells nothing more once the order fails', async () => {
  // The dropped one is not sent again in its time.
  world.time.stop();
  const id = await scene.bought(exits);
  world.chain.fates.push('refused', 'refused', 'refused', 'dropped', 'refused', 'refused');
  world.market.move([0.5]);
  await scene.becomes('stuck');
  world.time.skipped += 2_000;
  world.market.move([0.5]);
  const sent = async () => world.chain.sentOf(String((await scene.orders())[1]?._id));
  await expect.poll(sent).toHaveLength(1);
  await scene.running().opened.changeExits(id, { ...noExits, takeProfitPercent: 50 });
  world.chain.mine(1_000);
  await expect.poll(async () => (await scene.orders())[1]?.open).toBe(false);
  expect(await scene.position()).toMatchObject({ status: 'open', exit: null });
  world.market.move([1.6]);
  await expect.poll(scene.status).toBe('closed');
  expect((await scene.orders()).map(({ cause }) => cause.name)).toEqual(['stop loss', 'stop loss', 'take profit']);
});

test('each time that an exit gets stuck is an episode of its own', async () => {
  const id = await scene.bought(exits);
  world.chain.fates.push('refused', 'refused', 'refused');
  world.market.move([0.7]);
  await scene.becomes('stuck');
  await scene.running().opened.changeExits(id, { ...noExits, stopLossPercent: 50 });
  world.chain.fates.push('refused', 'refused', 'refused', 'refused', 'refused', 'refused');
  world.time.skipped += 2_000;
  world.market.move([0.5]);
  await scene.becomes('stuck');
  world.time.skipped += 2_000;
  world.market.move([0.5]);
  await expect.poll(async () => (await scene.position()).exitSeq).toBe(4);
  expect(new Set(scene.running().stuck)).toHaveProperty('size', 2);
});

test('a sale of all by hand marks the position until it is over', async () => {
  await trade(scene.running(), scene.userId, request('buy', AMOUNT));
  world.chain.fates.push('late');
  const placement = await scene.running().trading.placing.place(scene.userId, request('sell', 100));
  const id = placement.type === 'placed' ? placement.order._id.toHexString() : expect.fail('refused');
  await expect.poll(scene.status).toBe('closing');
  await expect.poll(() => world.chain.sentOf(id)).toHaveLength(1);
  world.chain.mine(1_000);
  await expect.poll(scene.status).toBe('closed');
});
