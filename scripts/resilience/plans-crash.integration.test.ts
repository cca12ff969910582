import mongoose, { type Connection, Types } from 'mongoose';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../api/testing/database.ts';
import type { Executor } from '../../api/trading/executors/executor.ts';
import { newTrader, ordersOf, startEngine } from '../../api/trading/plans/testing/scene.ts';
import { createWorld, type World } from '../../api/trading/positions/testing/scene.ts';
import { coin } from '../../api/trading/testing/coin.ts';
import { rounds } from '../../common/testing/effort.ts';

/** Crashes of a process that buys for a plan. */
const ROUNDS = rounds(10);
/** Calls of a purchase after its decision; its order is stored between the first two. */
const CALLS = ['quote', 'sign', 'send', 'look'] as const;
type Call = (typeof CALLS)[number];

const { uri } = testDatabase();
const connect = () => mongoose.createConnection(uri, { autoIndex: false, journal: true }).asPromise();
const connection = await connect();
afterAll(() => connection.close());

/** A process that loses everything at its first call of an executor's function: before the call has an effect, or after it. */
function dying(world: World, own: Connection, call: Call, when: 'before' | 'after') {
  let die = (): void => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  let isDead = false;
  async function end(): Promise<never> {
    isDead = true;
    await own.close(true);
    die();
    throw new mongoose.mongo.MongoNotConnectedError('the process has ended');
  }
  const executor = new Proxy(world.chain.executor, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]): Promise<unknown> => {
        if (isDead || (key === call && when === 'before')) return end();
        const result: unknown = await Reflect.apply(value, target, args);
        return key === call ? end() : result;
      };
    },
  }) satisfies Executor;
  return { died, world: { ...world, connection: own, chain: { ...world.chain, executor } } };
}

test(`${ROUNDS} crashes between the decision of a plan and the end of its order: bought once, and decided again where no order was stored [T-08, R2]`, async () => {
  for (let number = 0; number < ROUNDS; number += 1) {
    const call = CALLS[number % CALLS.length] ?? 'quote';
    const when = Math.floor(number / CALLS.length) % 2 === 0 ? 'after' : 'before';
    for (const plans of ['rules', 'strategies']) await connection.collection(plans).deleteMany({});
    const world = createWorld(connection);
    const mortal = dying(world, await connect(), call, when);
    const first = await startEngine(mortal.world);
    const userId = await newTrader(mortal.world, first);
    await first.decides();
    const planId = await first.addStrategy(userId);
    const address = `coin ${new Types.ObjectId().toHexString()}`;
    first.launch([address]);
    await mortal.died;
    await Promise.allSettled([first.stop()]);
    const stored = await ordersOf(world, userId);
    expect(stored).toHaveLength(call === 'quote' ? 0 : 1);

    const next = await startEngine(world);
    await next.decides();
    world.market.coins.set(address, coin({ address, price: 1 }));
    // It was detected before the crash, and its condition still holds.
    next.feed.detect([address]);
    next.feed.hydrate(address);
    const [order] = await next.orders(userId, 1);
    await next.settle();
    expect(await ordersOf(world, userId)).toHaveLength(1);
    expect(order?.key).toBe(`buy:${planId}:${address}`);
    // An order that was not sent within five seconds is cancelled.
    const statuses = call === 'quote' ? ['confirmed'] : ['confirmed', 'cancelled'];
    expect(statuses).toContain(order?.status);
    const bought = [...world.chain.landed.values()].filter(({ isSuccess }) => isSuccess);
    expect(bought.map((one) => one.userId)).toEqual(order?.status === 'confirmed' ? [userId] : []);
    const wallet = world.wallets.get(userId) ?? '';
    expect(world.chain.tokens.get(`${wallet} ${address}`) ?? 0n).toBe(BigInt(order?.fill?.tokens ?? 0));
    await next.stop();
  }
}, 600_000);
