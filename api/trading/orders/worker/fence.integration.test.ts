import { Types } from 'mongoose';
import { afterAll, describe, expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { furtherConnection, testConnection } from '../../../testing/database.ts';
import { tradingAccountModel } from '../../accounts/model.ts';
import { createFillBook } from '../../positions/apply-fill.ts';
import { positionFillModel, positionModel } from '../../positions/model.ts';
import { createFillStore, createPositionStore } from '../../positions/store.ts';
import { type Around, createDesk, type Desk, purchase, sale } from '../../testing/desk.ts';
import { createMemoryPositions } from '../../testing/memory-positions.ts';
import { createMortal, type Mortal } from '../../testing/mortal.ts';
import { createScriptedChain } from '../../testing/scripted-chain.ts';
import { orderModel } from '../model.ts';
import type { OrderRequest } from '../place.ts';

const SOL = 1_000_000_000;
/** Moments of each kind of order at which the holder is stalled; in a full run all of them. */
const MOMENTS = rounds(120);
const connection = await testConnection({ journal: true });
const ownConnection = await furtherConnection(connection);

const chain = createScriptedChain(Date.now);
const wallets: Desk['wallets'] = new Map();
/** Stalls the holder; null while it runs freely. */
let stall: Mortal | null = null;
/** The process that has the lease. */
let leaseholder: Desk | null = null;
/** How long a holder is stalled, ms: longer than a lease. */
const STALL_MS = 11_000;

/** Has each call of a part of the holder go through the present stall. */
const stalled: Around = (name, part) =>
  new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const call: unknown = stall === null ? value : Reflect.get(stall.around(name, target), key);
        return typeof call === 'function' ? Reflect.apply(call, target, args) : call;
      };
    },
  });

/** The awaited calls of the database driver that orders, accounts, fills and positions use. */
const DRIVER_CALLS = ['findOne', 'findOneAndUpdate', 'insertOne', 'replaceOne', 'updateOne', 'bulkWrite'];
for (const name of ['orders', 'tradingAccounts', 'tradingState', 'positions', 'positionFills']) {
  const collection = ownConnection.collection(name);
  const calls = Object.fromEntries(DRIVER_CALLS.map((call) => [call, Reflect.get(collection, call).bind(collection)]));
  const through = stalled(name, calls);
  for (const call of DRIVER_CALLS) Reflect.set(collection, call, Reflect.get(through, call));
}

/** One process, with the real book of fills. The holder is the one over its own connection. */
function processOf(own: typeof connection, around: Around): Promise<Desk> {
  const positions = createPositionStore(positionModel(own));
  const fills = createFillStore(positionFillModel(own));
  return createDesk({
    connection: own,
    executor: chain.executor,
    wallets,
    around: (name, part) => (name === 'executor' || name === 'wallets' ? around(name, part) : part),
    openBook: (accounts, orders) => ({
      ...createMemoryPositions(),
      apply: createFillBook({ positions, fills, accounts, orders, onStored: () => {}, clock: Date }).apply,
    }),
  });
}

const holder = await processOf(ownConnection, stalled);
const successor = await processOf(connection, (_, part) => part);
for (const { time } of [holder, successor]) time.stop();
afterAll(() => Promise.all([holder.stopWorkers(), successor.stopWorkers()]));

const leaseOf = (desk: Desk) => ({ isHeld: () => leaseholder === desk });

const isOpen = async (id: string) => (await successor.store.find(id))?.open === true;

/** All that is stored of a user. */
async function stored(userId: string) {
  const of = { userId: new Types.ObjectId(userId) };
  const [orders, account, positions, fills] = await Promise.all([
    orderModel(connection).find(of).lean(),
    tradingAccountModel(connection).findById(of.userId).lean(),
    positionModel(connection).find(of).lean(),
    positionFillModel(connection).find(of).lean(),
  ]);
  return { orders, account, positions, fills };
}

/** Has the successor work on an order until it is closed. */
async function closedBySuccessor(id: string): Promise<void> {
  leaseholder = successor;
  successor.startWorker({ lease: leaseOf(successor) });
  const isClosed = async () => {
    // Bytes that were stored and never sent end when their blockhash has expired.
    chain.mine(10);
    return !(await isOpen(id));
  };
  await expect.poll(isClosed, { timeout: 20_000, interval: 10 }).toBe(true);
}

/**
 * Has the holder of the lease work on an order, stalls it at a moment for longer than the lease, lets the successor close the order,
 * and goes on with the holder. Resolves with the call at which it was stalled, null when it had closed the order before.
 */
async function round(
  userId: string,
  request: OrderRequest,
  moment: number,
): Promise<{ at: string | null; calls: number }> {
  leaseholder = holder;
  const worker = holder.startWorker({ lease: leaseOf(holder), openIds: async () => [] });
  const order = await successor.place(userId, request);
  const id = order._id.toHexString();
  const mortal = createMortal(moment, { standsStill: true });
  stall = mortal;
  worker.wake(id);
  const at = await Promise.race([
    mortal.died,
    expect
      .poll(() => isOpen(id), { timeout: 20_000, interval: 5 })
      .toBe(false)
      .then(() => null),
  ]);
  stall = null;
  for (const { time } of [holder, successor]) time.skipped += STALL_MS;
  if (at !== null) await closedBySuccessor(id);
  const before = await stored(userId);
  const signed = chain.signed.length;
  mortal.goOn();
  await expect.poll(() => worker.active()).toBe(0);
  await Promise.all([holder.stopWorkers(), successor.stopWorkers()]);
  expect(await stored(userId), `stalled ${at}`).toEqual(before);
  // A signature that was made before the stall ended is never sent: its attempt was not stored.
  const attempts = before.orders.flatMap((one) => one.attempts.map(({ signature }) => signature));
  expect(chain.sentOf(id).filter((signature) => !attempts.includes(signature))).toEqual([]);
  expect(chain.signed.length - signed).toBeLessThanOrEqual(1);
  const traded = [...chain.landed.values()].filter((attempt) => attempt.isSuccess).map(({ orderId }) => orderId);
  expect(traded).toEqual([...new Set(traded)]);
  return { at, calls: mortal.calls() };
}

/** Buys without a stall. */
async function bought(userId: string): Promise<void> {
  await closedBySuccessor((await successor.place(userId, purchase(SOL / 10)))._id.toHexString());
  await successor.stopWorkers();
}

const exit = (userId: string) =>
  sale({ key: `exit:${userId}:1`, cause: { kind: 'exit', name: 'stop loss' }, slippageBps: 1_500 });

describe('a holder of the lease that is stalled for longer than the lease', () => {
  test.each([
    ['purchase', async () => {}, () => purchase(SOL / 10)],
    ['sale by an exit', bought, exit],
  ] as const)(
    'changes nothing about a %s that its successor has closed [O1, O9]',
    async (_, before, requested) => {
      /** Makes a new user's order. */
      async function one(moment: number) {
        const userId = holder.newUser();
        await before(userId);
        return round(userId, requested(userId), moment);
      }
      const { at, calls } = await one(Number.POSITIVE_INFINITY);
      expect(at).toBeNull();
      const moments = 2 * calls;
      const places = new Set<string | null>();
      const step = Math.max(1, moments / MOMENTS);
      for (let moment = 1; moment <= moments; moment += step) places.add((await one(Math.floor(moment))).at);
      expect(places.size).toBeGreaterThan(Math.min(moments, MOMENTS) / 4);
      expect(holder.warnings).toEqual([]);
    },
    600_000,
  );
});
