import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { type Exits, noExits } from '../../../common/trading/account.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import { actor, testAccounts } from '../accounts/testing/accounts.ts';
import { type OrderRecord, orderModel } from '../orders/model.ts';
import { createOrderStore } from '../orders/store.ts';
import { createFillBook } from './apply-fill.ts';
import type { AppliedFill } from './fill-book.ts';
import { holdingOf, type PositionRecord, positionFillModel, positionModel } from './model.ts';
import { createFillStore, createPositionStore, type FillStore, type PositionStore } from './store.ts';
import { AT, costs, filledOrder, revertedAttempt, revertedOrder } from './testing/orders.ts';

const connection = await testConnection();
const orders = createOrderStore(orderModel(connection));
let positions: PositionStore;
let fills: FillStore;
let accounts: TradingAccounts;

beforeAll(async () => {
  const models = { positions: positionModel(connection), fills: positionFillModel(connection) };
  await ensureIndexes(models.positions);
  await ensureIndexes(models.fills);
  positions = createPositionStore(models.positions);
  fills = createFillStore(models.fills);
  accounts = testAccounts(connection, { clock: { now: () => AT } });
});

/** A book over the same positions, such as that of another worker. */
const bookOver = (stores: { positions: PositionStore; fills: FillStore }) =>
  createFillBook({ ...stores, accounts, orders, onStored: () => {}, clock: { now: () => AT } });
const book = () => bookOver({ positions, fills });
/** Applies an order in as many rounds as the changes of other workers take. */
async function inRounds(of: Pick<ReturnType<typeof book>, 'apply'>, order: OrderRecord): Promise<AppliedFill> {
  return (await of.apply(order)) ?? inRounds(of, order);
}
const user = () => new Types.ObjectId();
const all = (userId: Types.ObjectId) =>
  positionModel(connection).find({ userId }).sort({ _id: 1 }).lean<PositionRecord[]>().exec();
const only = async (userId: Types.ObjectId): Promise<PositionRecord> => {
  const [first, ...others] = await all(userId);
  expect(others).toEqual([]);
  if (!first) throw new Error('no position');
  return first;
};
/** A promise that the test resolves. */
function signal(): { promise: Promise<void>; set: () => void } {
  let set = () => {};
  const promise = new Promise<void>((resolve) => {
    set = resolve;
  });
  return { promise, set };
}
/** A purchase by a strategy. */
const byStrategy = (userId: Types.ObjectId, tokens: number, name: string): OrderRecord => {
  const cause = { kind: 'strategy', name } as const;
  return filledOrder(userId, 'buy', tokens, { cause, key: `buy:${name}:address` });
};

test('opens a position with the default exits, adds to it, sells a part, and closes with the rest', async () => {
  const userId = user();
  const exits: Exits = { ...noExits, stopLossPercent: 20 };
  await accounts.change(userId.toHexString(), { defaults: { exits } }, actor().by);
  const opening = filledOrder(userId, 'buy', 1_000);
  const id = opening._id.toHexString();
  expect(await book().apply(opening)).toEqual({
    positionId: id,
    realisedLamports: 0,
    soldTokens: 0n,
    opened: true,
    closed: false,
  });
  expect(await book().apply(filledOrder(userId, 'buy', 1_000))).toMatchObject({ positionId: id, opened: false });
  expect(await only(userId)).toMatchObject({ tokens: '2000', costLamports: 2_016, exits, status: 'open' });
  expect(await book().apply(filledOrder(userId, 'sell', 500))).toEqual({
    positionId: id,
    realisedLamports: 500 - 8 - 504,
    soldTokens: 500n,
    opened: false,
    closed: false,
  });
  expect(await book().apply(filledOrder(userId, 'sell', 1_500))).toMatchObject({ positionId: id, closed: true });
  expect(await only(userId)).toMatchObject({ tokens: '0', soldTokens: '2000', status: 'closed', open: false });
  // The next purchase is a position of its own.
  const next = filledOrder(userId, 'buy', 10);
  expect(await book().apply(next)).toMatchObject({ positionId: next._id.toHexString(), opened: true });
});

test('the same coin on two networks is two positions, and a sale on one takes nothing of the other', async () => {
  const userId = user();
  const on = (cluster: 'devnet' | 'mainnet') => ({ mode: 'live', cluster }) as const;
  await book().apply(filledOrder(userId, 'buy', 100, on('devnet')));
  await book().apply(filledOrder(userId, 'buy', 300, on('mainnet')));
  expect(await book().apply(filledOrder(userId, 'sell', 100, on('devnet')))).toMatchObject({ closed: true });
  const held = async (cluster: 'devnet' | 'mainnet') => {
    const holding = holdingOf(filledOrder(userId, 'buy', 1, on(cluster)));
    return (await book().lot({ ...holding, userId: userId.toHexString() }, async () => [])).tokens;
  };
  expect([await held('devnet'), await held('mainnet')]).toEqual([0n, 300n]);
});

test('opens a position with the exits that its order names', async () => {
  const userId = user();
  const exits: Exits = { ...noExits, stopLossPercent: 7, trailingPercent: 15 };
  await book().apply({ ...byStrategy(userId, 100, 'dips'), exits });
  expect(await only(userId)).toMatchObject({ originName: 'dips', exits });
});

test('an order is applied once, by however many workers', async () => {
  const userId = user();
  const orders = [filledOrder(userId, 'buy', 1_000), filledOrder(userId, 'buy', 500)];
  const results = await Promise.all(
    Array.from({ length: 6 }, (_, turn) =>
      orders.map((order) => inRounds(turn % 2 === 0 ? book() : book(), order)),
    ).flat(),
  );
  const opened = results.filter((one) => one?.opened);
  expect(new Set(opened.map((one) => one?.positionId)).size).toBe(1);
  expect(await only(userId)).toMatchObject({ tokens: '1500', costLamports: 1_516 });
});

test('a worker that another one overtakes between two writes applies its order once', async () => {
  const userId = user();
  await book().apply(filledOrder(userId, 'buy', 100));
  const [started, swapped, overtaken] = [signal(), signal(), signal()];
  const slow = bookOver({
    fills,
    positions: {
      ...positions,
      async swap(...values) {
        const stored = await positions.swap(...values);
        swapped.set();
        await overtaken.promise;
        return stored;
      },
    },
  });
  const quick = bookOver({
    positions,
    fills: {
      ...fills,
      // It looks for unfinished orders before the slow worker has stored its own.
      async unfinished(holding) {
        const found = await fills.unfinished(holding);
        started.set();
        await swapped.promise;
        return found;
      },
    },
  });
  const second = inRounds(quick, filledOrder(userId, 'buy', 50));
  await started.promise;
  const first = inRounds(slow, filledOrder(userId, 'buy', 30));
  await second;
  overtaken.set();
  await first;
  expect(await only(userId)).toMatchObject({ tokens: '180', costLamports: 180 + 3 * 8 });
});

test('keeps lots of different origins apart, and a sale by hand takes those bought by hand first', async () => {
  const userId = user();
  const [first, second] = [byStrategy(userId, 300, 'one'), byStrategy(userId, 200, 'two')];
  const manual = filledOrder(userId, 'buy', 100);
  for (const order of [first, second, manual]) await book().apply(order);
  const sale = filledOrder(userId, 'sell', 450, { isWholePosition: true });
  const result = await book().apply(sale);
  expect(result).toMatchObject({ positionId: manual._id.toHexString(), closed: true });
  const [one, two, three] = await all(userId);
  expect([one?.tokens, two?.tokens, three?.tokens]).toEqual(['0', '150', '0']);
  expect([one?.open, two?.open, three?.open]).toEqual([false, true, false]);
  const sum = (value: (position: PositionRecord) => number) =>
    [one, two, three].reduce((total, position) => total + (position ? value(position) : 0), 0);
  expect(sum(({ proceedsLamports }) => proceedsLamports)).toBe(450 - 8);
  expect(sum(({ realisedLamports }) => realisedLamports)).toBe(result?.realisedLamports);
  // A named position comes before all.
  const exit = filledOrder(userId, 'sell', 50, { positionId: second._id });
  expect(await book().apply(exit)).toMatchObject({ positionId: second._id.toHexString() });
});

test('failed attempts cost: a purchase its tokens, a sale its profit, and nothing without a position', async () => {
  const userId = user();
  expect(await book().apply(revertedOrder(userId, 'buy', 5))).toMatchObject({ positionId: null, realisedLamports: 0 });
  await book().apply(filledOrder(userId, 'buy', 1_000, { attempts: [revertedAttempt(7)] }));
  expect(await only(userId)).toMatchObject({ costLamports: 1_015, feesLamports: 27 });
  await book().apply(revertedOrder(userId, 'buy', 5));
  expect(await only(userId)).toMatchObject({ costLamports: 1_020, realisedLamports: 0 });
  expect(await book().apply(revertedOrder(userId, 'sell', 9))).toMatchObject({
    positionId: null,
    realisedLamports: -9,
  });
  expect(await only(userId)).toMatchObject({ costLamports: 1_020, realisedLamports: -9, paidLamports: 1_029 });
});

test('the rent of the token account stays apart and comes back', async () => {
  const userId = user();
  const opening = filledOrder(userId, 'buy', 1_000);
  const withRent = (order: OrderRecord, rents: Parameters<typeof costs>[0]): OrderRecord => ({
    ...order,
    fill: order.fill && { ...order.fill, costs: costs(rents) },
  });
  await book().apply(withRent(opening, { accountRentLamports: 2_000, volumeRentLamports: 300 }));
  expect(await only(userId)).toMatchObject({ costLamports: 1_308, rentLamports: 2_000 });
  await book().apply(withRent(filledOrder(userId, 'sell', 1_000), { returnedRentLamports: 2_000 }));
  expect(await only(userId)).toMatchObject({ costLamports: 0, rentLamports: 0, realisedLamports: 1_000 - 8 - 1_308 });
});

test('a crash at any write leaves nothing lost and nothing twice', async () => {
  class Crash extends Error {}
  let crashes = 0;
  // Each round dies at a later write, before it or right after it.
  for (let at = 0; ; at += 1) {
    const userId = user();
    const orders = [
      byStrategy(userId, 300, 'one'),
      filledOrder(userId, 'buy', 100),
      filledOrder(userId, 'buy', 50, { attempts: [revertedAttempt(3)] }),
      filledOrder(userId, 'sell', 200),
      revertedOrder(userId, 'sell', 4),
      filledOrder(userId, 'sell', 250),
    ];
    let writes = 0;
    const dying = async <Result>(write: () => Promise<Result>): Promise<Result> => {
      writes += 1;
      if (writes === Math.floor(at / 2) + 1 && at % 2 === 0) throw new Crash();
      const result = await write();
      if (writes === Math.floor(at / 2) + 1) throw new Crash();
      return result;
    };
    const mortal = bookOver({
      positions: {
        ...positions,
        insert: (...values) => dying(() => positions.insert(...values)),
        swap: (...values) => dying(() => positions.swap(...values)),
      },
      fills: {
        ...fills,
        insert: (...values) => dying(() => fills.insert(...values)),
        setResult: (...values) => dying(() => fills.setResult(...values)),
        finish: (...values) => dying(() => fills.finish(...values)),
      },
    });
    let hasCrashed = false;
    const results = [];
    for (const order of orders) {
      const first = await mortal.apply(order).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
        hasCrashed = true;
        return null;
      });
      const repeated = await book().apply(order);
      if (first) expect(repeated).toEqual(first);
      results.push(repeated);
    }
    const [strategy, manual] = await all(userId);
    expect(strategy).toMatchObject({ tokens: '0', status: 'closed' });
    expect(manual).toMatchObject({ tokens: '0', status: 'closed' });
    const realised = (strategy?.realisedLamports ?? 0) + (manual?.realisedLamports ?? 0);
    // 450 bought and sold; six trades cost 8 each, two of them with failed attempts.
    expect(realised).toBe(-5 * 8 - 3 - 4);
    expect(results.reduce((sum, one) => sum + (one?.realisedLamports ?? Number.NaN), 0)).toBe(realised);
    expect(results.filter((one) => one?.opened)).toHaveLength(2);
    if (!hasCrashed) break;
    crashes += 1;
  }
  expect(crashes).toBeGreaterThan(30);
}, 300_000);

test('reports realised profit and fees by day, and leaves days without a trade out', async () => {
  const userId = user();
  const on = (order: OrderRecord, day: number): OrderRecord => ({
    ...order,
    fill: order.fill && { ...order.fill, at: AT + day * 86_400_000 },
  });
  await book().apply(on(filledOrder(userId, 'buy', 1_000), 0));
  await book().apply(on(filledOrder(userId, 'sell', 100), 1));
  const gain = on(filledOrder(userId, 'sell', 100), 1);
  await book().apply({ ...gain, fill: gain.fill && { ...gain.fill, lamports: 900 } });
  const read = (since: number) => fills.profitByDay(userId.toHexString(), 'local', new Date(since));
  expect(await read(AT - 1)).toEqual([
    { day: '2026-11-23', realisedLamports: 100 - 8 - 100 + 900 - 8 - 100, feesLamports: 40, wins: 1, losses: 1 },
    { day: '2026-11-22', realisedLamports: 0, feesLamports: 20, wins: 0, losses: 0 },
  ]);
  expect(await read(AT + 2 * 86_400_000)).toEqual([]);
});
