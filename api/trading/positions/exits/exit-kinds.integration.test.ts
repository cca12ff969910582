import { beforeEach, describe, expect, test } from 'vitest';
import { noExits } from '../../../../common/trading/account.ts';
import { testConnection } from '../../../testing/database.ts';
import { STUCK_MS } from '../../orders/worker/next-action.ts';
import { positionModel } from '../model.ts';
import { AMOUNT, createExitScene, type ExitScene } from '../testing/exit-scene.ts';
import { createWorld, request, trade, type World } from '../testing/scene.ts';

const steps = [
  { atPercent: 50, sellPercent: 50 },
  { atPercent: 100, sellPercent: 50 },
];
const connection = await testConnection();
let world: World;
let scene: ExitScene;

beforeEach(async () => {
  await positionModel(connection).deleteMany({});
  world = createWorld(connection);
  world.market.move([1]);
  scene = await createExitScene(world);
});

/** Waits until the first order of an exit is out. */
async function sent(): Promise<void> {
  await expect
    .poll(async () => (await scene.orders()).flatMap(({ _id }) => world.chain.sentOf(String(_id))))
    .toHaveLength(1);
}
const causes = async () => (await scene.orders()).map(({ cause, tokens }) => [cause.name, Number(tokens)]);
const tokens = async () => Number((await scene.position()).tokens);

describe('a trailing stop', () => {
  test('sells below the highest price, also one within a burst, and one before a restart [T-28]', async () => {
    await scene.bought({ trailingPercent: 20 });
    world.market.move([1.5, 2, 1.7]);
    await scene.restart();
    world.market.move([1.61]);
    expect(await causes()).toEqual([]);
    world.market.move([1.6, 1.9]);
    await expect.poll(scene.status).toBe('closed');
    expect(await causes()).toEqual([['trailing stop', AMOUNT]]);
  });

  test('that is set later knows the highest price since the opening', async () => {
    const id = await scene.bought({});
    world.market.move([3, 2.5]);
    await scene.running().opened.changeExits(id, { ...noExits, trailingPercent: 30 });
    world.market.move([2.2]);
    expect(await causes()).toEqual([]);
    world.market.move([2.1]);
    await expect.poll(scene.status).toBe('closed');
  });
});

test('a position is sold when its time is over, without any price [T-28]', async () => {
  world.time.stop();
  await scene.bought({ maxHoldMs: 60_000 });
  world.time.skipped += 59_000;
  world.market.move([1.1]);
  expect(await causes()).toEqual([]);
  world.time.skipped += 1_000;
  await expect.poll(scene.status).toBe('closed');
  expect(await causes()).toEqual([['time', AMOUNT]]);
});

describe('steps', () => {
  test('sell their shares once each, at their cost, and the rest keeps its other exits [T-28]', async () => {
    const id = await scene.bought({ steps, stopLossPercent: 50 });
    const before = await scene.position();
    world.market.move([1.49, 1.5, 1.4, 1.7]);
    await expect.poll(tokens).toBe(AMOUNT / 2);
    await expect.poll(async () => (await scene.position()).exit).toBeNull();
    const half = await scene.position();
    expect(half).toMatchObject({ status: 'open', stepsDone: [50], costLamports: before.costLamports / 2 });
    expect(half.realisedLamports).toBe(AMOUNT / 2 - 5_000 - before.costLamports / 2);
    world.market.move([1.4, 1.6]);
    world.market.move([2.1]);
    await expect.poll(tokens).toBe(AMOUNT / 4);
    await expect.poll(async () => (await scene.position()).exit).toBeNull();
    world.market.move([3, 0.5]);
    await expect.poll(scene.status).toBe('closed');
    expect(await causes()).toEqual([
      ['step', AMOUNT / 2],
      ['step', AMOUNT / 4],
      ['stop loss', AMOUNT / 4],
    ]);
    expect((await scene.orders()).map(({ key, isWholePosition }) => [key, isWholePosition])).toEqual([
      [`exit:${id}:1`, false],
      [`exit:${id}:2`, false],
      [`exit:${id}:3`, true],
    ]);
    expect(scene.held()).toBe(0n);
  });

  test('that one price jumps over are one sale [T-28]', async () => {
    await scene.bought({ steps });
    world.market.move([5]);
    await expect.poll(tokens).toBe(AMOUNT / 4);
    await expect.poll(async () => (await scene.position()).stepsDone).toEqual([50, 100]);
    expect(await causes()).toEqual([['step', (AMOUNT * 3) / 4]]);
  });

  test.each(['goes on', 'restarts'])(
    'are followed by the exits that fire during their sale, when the process %s [T-28]',
    async (then) => {
      await scene.bought({ steps, stopLossPercent: 20 });
      world.chain.fates.push('late');
      world.market.move([1.5]);
      await sent();
      world.market.move([2, 0.8, 1.2]);
      await expect.poll(async () => (await scene.position()).exit?.next?.kind).toBe('stop loss');
      if (then === 'restarts') await scene.restart();
      world.chain.mine(1);
      await expect.poll(scene.status).toBe('closed');
      expect(await causes()).toEqual([
        ['step', AMOUNT / 2],
        ['stop loss', AMOUNT / 2],
      ]);
    },
  );

  test('have one attempt out at a time: only a sale of everything may be tried beside itself', async () => {
    await scene.bought({ steps });
    world.chain.fates.push('late');
    world.market.move([1.5]);
    await sent();
    world.time.skipped += 2 * STUCK_MS;
    const [order] = await scene.orders();
    await expect.poll(() => world.chain.sends.get(order?.attempts[0]?.signature ?? '')).toBeGreaterThan(1);
    expect((await scene.orders())[0]?.attempts).toHaveLength(1);
    world.chain.mine(1);
    await expect.poll(tokens).toBe(AMOUNT / 2);
  });

  test('that fail give way to a sale of everything that has fired since', async () => {
    await scene.bought({ steps, stopLossPercent: 20 });
    world.chain.fates.push('late', 'refused', 'refused', 'refused');
    world.market.move([1.5]);
    await sent();
    world.market.move([0.5]);
    await expect.poll(async () => (await scene.position()).exit?.next?.kind).toBe('stop loss');
    // The late one can't land any more.
    world.chain.tokens.set(`${world.wallets.get(scene.userId)} ${(await scene.position()).token.address}`, 10n);
    world.chain.mine(1_000);
    await expect.poll(async () => (await scene.orders()).at(-1)?.cause.name).toBe('stop loss');
  });

  test('that are set again fire again, and others stay done', async () => {
    const id = await scene.bought({ steps });
    world.market.move([1.5]);
    await expect.poll(async () => (await scene.position()).stepsDone).toEqual([50]);
    const { changeExits } = scene.running().opened;
    await changeExits(id, { ...noExits, steps: [...steps, { atPercent: 60, sellPercent: 100 }] });
    expect((await scene.position()).stepsDone).toEqual([50]);
    await changeExits(id, noExits);
    await changeExits(id, { ...noExits, steps: [{ atPercent: 50, sellPercent: 100 }] });
    world.market.move([1.5]);
    await expect.poll(scene.status).toBe('closed');
  });
});

test('prices between the landing of a purchase and its position are judged, once and in their order [T-28]', async () => {
  const running = scene.running();
  running.bus.on('order-changed', ({ order }) => {
    if (order.side !== 'buy' || order.status !== 'confirmed') return;
    world.time.skipped += 1;
    // Before its position is stored: the first one beyond is the stop loss, and the price recovers.
    if (world.market.coins.get(order.token.address)?.price === 1) world.market.move([1.2, 0.7, 1.9, 1.1]);
  });
  const exits = { ...noExits, stopLossPercent: 20, takeProfitPercent: 80 };
  await trade(running, scene.userId, { ...request('buy', AMOUNT), exits });
  await expect.poll(scene.status).toBe('closed');
  expect(await causes()).toEqual([['stop loss', AMOUNT]]);
});

test('a stop pauses exits on request, over a restart, and resuming judges the price then [T-30]', async () => {
  await scene.bought({ stopLossPercent: 20, trailingPercent: 50 });
  const { accounts } = scene.running().trading;
  await accounts.stop(scene.userId, 'user');
  expect((await accounts.view(scene.userId)).stopped).toMatchObject({ pausesExits: false });
  await accounts.stop(scene.userId, 'user', true);
  // A further stop that does not name exits leaves them as they are.
  expect(await accounts.stop(scene.userId, 'telegram')).toMatchObject({ by: 'user', pausesExits: true });
  expect((await accounts.view(scene.userId)).stopped).toMatchObject({ pausesExits: true });
  world.market.move([0.5, 3]);
  await scene.restart();
  world.market.move([1.4, 1.6]);
  world.time.skipped += 2_000;
  expect(await causes()).toEqual([]);
  expect((await scene.position()).exit).toBeNull();
  world.market.move([1.5]);
  await scene.running().trading.accounts.resume(scene.userId);
  await expect.poll(scene.status).toBe('closed');
  expect(await causes()).toEqual([['trailing stop', AMOUNT]]);
});

test('an exit that has fired waits while exits are paused', async () => {
  await scene.bought({ stopLossPercent: 20 });
  world.chain.isAway = true;
  world.market.move([0.5]);
  await expect.poll(scene.status).toBe('closing');
  const { accounts } = scene.running().trading;
  await accounts.stop(scene.userId, 'user', true);
  // Before that a sale may be under way that has not seen the stop.
  await scene.restart(() => {
    world.chain.isAway = false;
  });
  expect(await causes()).toEqual([]);
  expect(scene.held()).toBe(BigInt(AMOUNT));
  await scene.running().trading.accounts.resume(scene.userId);
  await expect.poll(scene.status).toBe('closed');
});

test('a removed token keeps the figures of its last moment, also when the process ends at once [T-13]', async () => {
  await scene.bought({ stopLossPercent: 20 });
  world.market.move([1.3]);
  await world.market.remove((await scene.position()).token.address);
  expect((await scene.position()).figures).toMatchObject({ price: 1.3 });
  await scene.restart();
  expect((await scene.position()).figures).toMatchObject({ price: 1.3 });
});

test('sales of exits have the slippage that is set', async () => {
  await scene.bought({ stopLossPercent: 20, slippageBps: 700 });
  world.market.move([0.5]);
  await expect.poll(scene.status).toBe('closed');
  expect(await scene.orders()).toMatchObject([{ slippageBps: 700 }]);
});
