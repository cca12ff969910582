import { expect, test } from 'vitest';
import { SECOND } from '../../../common/time.ts';
import { noExits } from '../../../common/trading/account.ts';
import type { Change, CorePlan } from '../core/model.ts';
import { createCore } from '../core/step.ts';
import { DETECTED } from '../core/testing/any-conditions.ts';
import { accountOf, launched, planOf, priceOf } from '../core/testing/core-scene.ts';
import type { TapeEntry } from '../tape/format.ts';
import { tapeOrderOf } from '../tape/tape-order.ts';
import type { Desk } from './desk/desk.ts';
import { createReplay, type ReplayTask } from './run.ts';

const SOL = 1_000_000_000;
const USER = '6a0000000000000000000001';
const DELAY = 900;

const taskOf = (plan: Partial<CorePlan> = {}, limits = {}): ReplayTask => ({
  userId: USER,
  wallet: 'wallet',
  plans: {
    type: 'own',
    plan: planOf({ userId: USER, ...plan }),
    account: { ...accountOf({ userId: USER, moneyLamports: 10 * SOL }), limits: { ...accountOf().limits, ...limits } },
    lists: [],
    delayOf: () => DELAY,
  },
  defaultExits: noExits,
  opening: { fills: [], hasBought: false },
});

const begin: TapeEntry = { type: 'begin', at: DETECTED, changes: [{ type: 'source', source: 'test', isLive: true }] };
const tick = (after: number, changes: Change[] = []): TapeEntry => ({ type: 'tick', now: DETECTED + after, changes });

/** A price `times` as high as at the launch. */
const price = (address: string, after: number, times: number): Change => {
  const { reserves, ...rest } = priceOf({ address, at: DETECTED + after, price: times * 1e-5 });
  const virtualQuote = Math.round((reserves?.virtualQuote ?? 0) * Math.sqrt(times));
  const virtualToken = Math.round((reserves?.virtualToken ?? 0) / Math.sqrt(times));
  const moved = { virtualQuote, virtualToken, realQuote: virtualQuote, realToken: virtualToken };
  return { type: 'price', price: { ...rest, reserves: moved } };
};
const launch = (address: string, after: number): Change[] => [
  ...launched(address, DETECTED + after).filter(({ type }) => type !== 'price'),
  price(address, after, 1),
];

function run(task: ReplayTask, entries: TapeEntry[]) {
  const replay = createReplay(task, createCore);
  for (const entry of [begin, ...entries]) replay.take(entry);
  return replay;
}

test('buys at the reserves in force after the delay, and counts every fee [T-38]', () => {
  const { desk } = run(taskOf(), [
    tick(0, launch('one', 0)),
    tick(DELAY - 1, [price('one', 800, 1.01)]),
    tick(DELAY + 100, [price('one', DELAY + 50, 4)]),
    tick(2_000),
  ]);
  const [order] = desk.orders();
  expect(order).toMatchObject({ status: 'confirmed', fill: { at: DETECTED + DELAY, lamports: SOL / 10 } });
  expect(order?.fill?.price).toBeCloseTo(priceAt(1.01), 9);
  expect(order?.fill?.costs).toMatchObject({ launchpadFeeLamports: expect.any(Number), networkFeeLamports: 5_000 });
  const money = desk.account();
  expect(money?.moneyLamports).toBeLessThan(10 * SOL - SOL / 10);
  expect(money?.book).toMatchObject({ heldLamports: 0, reservedLamports: 0, places: ['one'], usedLamports: SOL / 10 });
});

/** SOL for one whole token at a price `times` as high as at the launch. */
function priceAt(times: number): number {
  const change = price('one', 0, times);
  if (change.type !== 'price' || !change.price.reserves) return Number.NaN;
  return change.price.reserves.virtualQuote / 1e9 / (change.price.reserves.virtualToken / 1e6);
}

test('sells at the first price beyond an exit, also within one tick [T-38]', () => {
  const exits = { ...noExits, stopLossPercent: 20, takeProfitPercent: 50 };
  const replay = run(taskOf({ exits }), [
    tick(0, launch('one', 0)),
    tick(1_000),
    tick(
      2_000,
      [price('one', 1_500, 0.7), price('one', 1_600, 1.1)].map((change) => scaled(change)),
    ),
    tick(4_000),
  ]);
  expect(replay.desk.exits()).toMatchObject([{ kind: 'stop loss', at: DETECTED + 1_500 }]);
  const [buy, sale] = replay.desk.orders();
  expect(sale).toMatchObject({ side: 'sell', cause: { kind: 'exit', name: 'stop loss' }, status: 'confirmed' });
  expect(sale?.fill?.at).toBe(DETECTED + 1_500 + DELAY);
  expect(buy?.fill?.tokens).toBe(sale?.fill?.tokens);
  expect(replay.desk.positions.all()[0]?.record).toMatchObject({ status: 'closed', tokens: '0' });
  expect(replay.desk.account()?.book).toMatchObject({ places: [], stopLossesAt: [DETECTED + 1_500 + DELAY] });
});

/** The price of a change as the curve has it. */
function scaled(change: Change): Change {
  if (change.type !== 'price' || !change.price.reserves) return change;
  const { virtualQuote, virtualToken } = change.price.reserves;
  return { type: 'price', price: { ...change.price, price: virtualQuote / 1e9 / (virtualToken / 1e6) } };
}

test('tries again when the price returns, and reports why it did not buy when it does not [T-38]', () => {
  const away = [tick(0, launch('one', 0)), tick(500, [price('one', 400, 2)])];
  const back = [tick(1_200, [price('one', 1_100, 1)]), tick(8_000)];
  const returned = run(taskOf({ slippageBps: 100 }), [...away, ...back]).desk.orders();
  expect(returned).toMatchObject([{ status: 'confirmed', attempts: [{ outcome: 'reverted' }, { outcome: 'landed' }] }]);

  const { desk } = run(taskOf({ slippageBps: 100 }), [...away, tick(8_000)]);
  expect(desk.orders()).toMatchObject([{ status: 'failed', fill: null, failure: { code: 'slippage' } }]);
  const { book, moneyLamports } = desk.account() ?? expect.fail();
  expect(book).toMatchObject({ heldLamports: 0, reservedLamports: 0, places: [], usedLamports: 0 });
  // The reverted attempt has paid the network.
  expect(moneyLamports).toBe(10 * SOL - 5_000);
});

test('keeps to the limits of the account [T-38]', () => {
  const launches = Array.from({ length: 10 }, (_, index) => launch(`token-${index}`, index));
  const entries = [tick(10, launches.flat()), tick(2_000), tick(4_000)];
  expect(run(taskOf({}, { maxOpen: 3 }), entries).desk.orders()).toHaveLength(3);
  const budget = run(taskOf({}, { perDayLamports: SOL / 4 }), entries);
  expect(budget.desk.orders()).toHaveLength(2);
  expect([...budget.reasons.values()].filter((why) => why?.code === 'day-budget')).toHaveLength(8);
});

test('goes on after a gap with the state of its end, and buys no token twice', () => {
  const replay = run(taskOf(), [
    tick(0, launch('one', 0)),
    tick(2_000),
    { type: 'gap', from: DETECTED + 2_000, to: DETECTED + 60 * SECOND },
    {
      type: 'begin',
      at: DETECTED + 60 * SECOND,
      changes: [{ type: 'source', source: 'test', isLive: true }, ...launch('one', 0)],
    },
    tick(60_000, launch('two', 60_000)),
    tick(62_000),
  ]);
  expect(replay.desk.orders().map(({ token }) => token.address)).toEqual(['one', 'two']);
  expect(replay.gaps).toEqual([{ from: DETECTED + 2_000, to: DETECTED + 60 * SECOND }]);
  expect(replay.span()).toEqual({ from: DETECTED, to: DETECTED + 62_000 });
});

test('gives the same result each time', () => {
  const entries = Array.from({ length: 50 }, (_, index) =>
    tick(
      100 * index,
      index % 5 === 0
        ? launch(`token-${index}`, 100 * index)
        : [price(`token-${5 * Math.floor(index / 10)}`, 100 * index, 1 + index / 50)],
    ),
  );
  const results = [1, 2].map(() => {
    const { desk, reasons } = run(taskOf({ exits: { ...noExits, takeProfitPercent: 10 } }), entries);
    return JSON.stringify([desk.orders(), desk.positions.all(), [...reasons]]);
  });
  expect(results[0]).toBe(results[1]);
});

/** Runs a plan with money of its own, and returns what it did as a tape of it. */
function recordedRun() {
  const exits = {
    ...noExits,
    stopLossPercent: 10,
    takeProfitPercent: 30,
    trailingPercent: 15,
    maxHoldMs: 20_000,
    steps: [{ atPercent: 8, sellPercent: 40 }],
  };
  const entries = Array.from({ length: 600 }, (_, index) => {
    const after = 100 * index;
    const one = `token-${Math.floor(index / 40)}`;
    const moved = price(one, after - 20, 1 + Math.sin(index / 7) / 4 + (index % 5) / 50);
    return tick(after, index % 40 === 0 ? launch(one, after) : [scaled(moved)]);
  });
  const steps: TapeEntry[] = [{ type: 'begin', at: DETECTED, changes: [] }];
  const task = taskOf({ exits, slippageBps: 300 });
  const live = createReplay(task, () => {
    const core = createCore();
    return {
      ...core,
      step(now, changes) {
        steps.push({ type: 'tick', now, changes: [...changes] });
        return core.step(now, changes);
      },
    };
  });
  for (const entry of [begin, ...entries]) live.take(entry);
  return { live, steps };
}

const textOf = ({ orders, positions }: Desk) =>
  JSON.stringify([
    orders()
      .map(({ _id, key, status, failure, fill, attempts, cause }) => {
        const outcomes = attempts.map(({ signature, least, outcome, feeLamports }) => [
          signature,
          least,
          outcome,
          feeLamports,
        ]);
        return [String(_id), key, cause, status, failure, fill, outcomes];
      })
      .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1)),
    positions.all().map(({ record: { exitSeq: _, exits: __, version: ___, ...record } }) => record),
  ]);

function again({ live, steps }: ReturnType<typeof recordedRun>, entries = steps): Desk {
  const orders = live.desk
    .orders()
    .map(tapeOrderOf)
    .filter((order) => order !== null);
  const task: ReplayTask = { ...taskOf(), plans: { type: 'recorded', orders, ids: [] } };
  const replay = createReplay(task, createCore);
  for (const entry of entries) replay.take(entry);
  return replay.desk;
}

test('recorded orders get the same fills and positions again, to the byte [T-38]', () => {
  const recorded = recordedRun();
  const { desk } = recorded.live;
  const kinds = new Set(desk.exits().map(({ kind }) => kind));
  expect(kinds.size).toBeGreaterThan(2);
  expect(desk.orders().filter(({ side, fill }) => side === 'sell' && fill).length).toBeGreaterThan(10);
  expect(textOf(again(recorded))).toBe(textOf(desk));
  expect(JSON.stringify(again(recorded).exits())).toBe(JSON.stringify(desk.exits()));
});

test('a tape with other prices gives other fills', () => {
  const recorded = recordedRun();
  const broken = recorded.steps.map((entry) =>
    entry.type === 'tick'
      ? { ...entry, changes: entry.changes.filter((_, index) => entry.now % 1_000 !== 0 || index > 0) }
      : entry,
  );
  expect(textOf(again(recorded, broken))).not.toBe(textOf(recorded.live.desk));
});
