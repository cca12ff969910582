import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Exits, exitsSchema, noExits } from './account.ts';
import {
  type ExitState,
  exitAt,
  exitDueAt,
  exitKinds,
  exitsAlong,
  exitsOfPlan,
  exitTokens,
  type FiredExit,
  hasExits,
  mergedExit,
  peakAfter,
} from './exits.ts';

const START = Date.UTC(2026, 10, 23);
const exitsOf = (fields: Partial<Exits>): Exits => ({ ...noExits, ...fields });
const stateOf = (fields: Partial<ExitState> = {}): ExitState => ({
  entryPrice: 1,
  peakPrice: 1,
  openedAt: START,
  stepsDone: [],
  ...fields,
});
const kindAt = (exits: Partial<Exits>, price: number | null, state: Partial<ExitState> = {}, at = START) =>
  exitAt(exitsOf(exits), stateOf(state), price, at)?.kind ?? null;

describe('an exit fires', () => {
  test('at or beyond stop loss and take profit', () => {
    const limits = { stopLossPercent: 10, takeProfitPercent: 20 };
    const at = (price: number) => kindAt(limits, price, { entryPrice: 0.1 });
    expect([0.1, 0.119, 0.12, 0.13].map(at)).toEqual([null, null, 'take profit', 'take profit']);
    expect([0.091, 0.09, 0.05, 0].map(at)).toEqual([null, 'stop loss', 'stop loss', 'stop loss']);
  });

  test('below the highest price since the opening, which the price itself may raise [T-28]', () => {
    const trailing = { trailingPercent: 25 };
    expect([1, 1.5, 2, 0.76].map((price) => kindAt(trailing, price))).toEqual([null, null, null, null]);
    expect(kindAt(trailing, 0.75)).toBe('trailing stop');
    expect([2, 1.51, 1.5].map((price) => kindAt(trailing, price, { peakPrice: 2 }))).toEqual([
      null,
      null,
      'trailing stop',
    ]);
    expect(peakAfter(2, 1)).toBe(2);
    expect(peakAfter(2, 3)).toBe(3);
    expect(peakAfter(2, null)).toBe(2);
  });

  test('when its time has come, also without a price [T-28]', () => {
    const timed = { maxHoldMs: 60_000 };
    expect(kindAt(timed, 1, {}, START + 59_999)).toBeNull();
    expect(kindAt(timed, null, {}, START + 60_000)).toBe('time');
    expect(exitDueAt(exitsOf(timed), START)).toBe(START + 60_000);
    expect(exitDueAt(noExits, START)).toBeNull();
  });

  test('in steps, each once, and several in one sale when a price jumps over them [T-28]', () => {
    const exits = exitsOf({
      steps: [
        { atPercent: 100, sellPercent: 50 },
        { atPercent: 50, sellPercent: 50 },
      ],
    });
    expect(exitAt(exits, stateOf(), 1.49, START)).toBeNull();
    expect(exitAt(exits, stateOf(), 1.5, START)).toEqual({ kind: 'step', sharePercent: 50, steps: [50] });
    expect(exitAt(exits, stateOf({ stepsDone: [50] }), 1.9, START)).toBeNull();
    expect(exitAt(exits, stateOf({ stepsDone: [50] }), 2, START)).toEqual({
      kind: 'step',
      sharePercent: 50,
      steps: [100],
    });
    expect(exitAt(exits, stateOf(), 2, START)).toEqual({ kind: 'step', sharePercent: 75, steps: [100, 50] });
    expect(exitAt(exits, stateOf({ stepsDone: [50, 100] }), 9, START)).toBeNull();
  });

  test('by the first kind in the order of the list', () => {
    const all: Partial<Exits> = { stopLossPercent: 50, trailingPercent: 20, maxHoldMs: 10_000, takeProfitPercent: 100 };
    const steps = { steps: [{ atPercent: 10, sellPercent: 10 }] };
    const later = START + 10_000;
    expect(kindAt({ ...all, ...steps }, 0.5, {}, later)).toBe('stop loss');
    expect(kindAt({ ...all, ...steps }, 2.1, { peakPrice: 3 }, later)).toBe('trailing stop');
    expect(kindAt({ ...all, ...steps }, 2.1, { peakPrice: 2.1 }, later)).toBe('time');
    expect(kindAt({ ...all, ...steps }, 2.1)).toBe('take profit');
    expect(kindAt({ ...all, ...steps }, 1.2)).toBe('step');
    expect(exitKinds).toEqual(['stop loss', 'trailing stop', 'time', 'take profit', 'step']);
  });

  test('never without limits, nor by the price of a position that cost nothing', () => {
    for (const price of [0, 1, 1e9, null]) expect(kindAt({}, price)).toBeNull();
    expect(kindAt({ stopLossPercent: 10, trailingPercent: 10 }, 0, { entryPrice: 0 })).toBeNull();
    expect(hasExits(noExits)).toBe(false);
    expect(hasExits(exitsOf({ slippageBps: 100 }))).toBe(false);
    expect(hasExits(exitsOf({ maxHoldMs: 10_000 }))).toBe(true);
  });
});

const step = (sharePercent: number, ...steps: number[]): FiredExit => ({ kind: 'step', sharePercent, steps });
const whole = (kind: FiredExit['kind']): FiredExit => ({ kind, sharePercent: 100, steps: [] });

test('a sale of everything takes the place of steps that wait, and the first one stays', () => {
  expect(mergedExit(null, step(50, 50))).toEqual(step(50, 50));
  expect(mergedExit(step(50, 50), step(50, 100))).toEqual(step(75, 50, 100));
  expect(mergedExit(step(50, 50), whole('stop loss'))).toEqual(whole('stop loss'));
  expect(mergedExit(whole('stop loss'), whole('take profit'))).toEqual(whole('stop loss'));
  expect(mergedExit(whole('stop loss'), step(50, 50))).toEqual(whole('stop loss'));
});

test('a share of the tokens is exact for all of them, and never more than is held', () => {
  const held = fc.bigInt({ min: 0n, max: 10n ** 18n });
  fc.assert(
    fc.property(held, fc.integer({ min: 1, max: 100 }), (tokens, sharePercent) => {
      expect(exitTokens({ sharePercent }, tokens)).toBe((tokens * BigInt(sharePercent)) / 100n);
    }),
  );
  expect(exitTokens({ sharePercent: 55.11 }, 10_000n)).toBe(5_511n);
});

test('exits along prices are those of judging each price on its own', () => {
  const exits = exitsOf({
    stopLossPercent: 30,
    trailingPercent: 40,
    takeProfitPercent: 300,
    maxHoldMs: 40_000,
    steps: [
      { atPercent: 20, sellPercent: 25 },
      { atPercent: 60, sellPercent: 50 },
    ],
  });
  const price = fc.option(fc.double({ min: 0.5, max: 5, noNaN: true }), { nil: null });
  fc.assert(
    fc.property(fc.array(price, { maxLength: 50 }), (prices) => {
      const points = prices.map((value, index) => ({ at: START + index * 1_000, price: value }));
      const found = exitsAlong(exits, { entryPrice: 1, openedAt: START }, points);
      // Each step at most once, nothing after a sale of everything, and each at the first price beyond.
      const steps = found.flatMap((one) => one.steps);
      expect(new Set(steps).size).toBe(steps.length);
      expect(found.slice(0, -1).every(({ kind }) => kind === 'step')).toBe(true);
      const end = found.at(-1)?.sharePercent === 100 ? found.at(-1)?.at : undefined;
      for (const { atPercent } of exits.steps) {
        const first = points.find((point) => point.price !== null && point.price >= 1 + atPercent / 100);
        const isReached = first !== undefined && (end === undefined || first.at < end);
        const fired = found.find((one) => one.steps.includes(atPercent))?.at;
        expect(fired).toBe(isReached ? first.at : undefined);
      }
    }),
  );
});

test('a plan takes the default exits; a strategy has its own stop loss and take profit', () => {
  const defaults = exitsOf({ stopLossPercent: 5, takeProfitPercent: 50, trailingPercent: 20, maxHoldMs: 60_000 });
  expect(exitsOfPlan({ kind: 'rule' }, defaults)).toBe(defaults);
  const own = exitsOfPlan({ kind: 'strategy', stopLoss: 10, takeProfit: null }, defaults);
  expect(own).toEqual({ ...defaults, stopLossPercent: 10, takeProfitPercent: null });
  const odd = exitsOfPlan({ kind: 'strategy', stopLoss: 0.01, takeProfit: 1e9 }, defaults);
  expect(odd).toMatchObject({ stopLossPercent: 0.1, takeProfitPercent: 100_000 });
  expect(exitsOfPlan({ kind: 'strategy', stopLoss: 0, takeProfit: -1 }, noExits)).toEqual(noExits);
});

test('steps at the same rise are refused, and more than five', () => {
  const steps = (...rises: number[]) => rises.map((atPercent) => ({ atPercent, sellPercent: 10 }));
  expect(exitsSchema.safeParse(exitsOf({ steps: steps(1, 2, 3, 4, 5) })).success).toBe(true);
  expect(exitsSchema.safeParse(exitsOf({ steps: steps(1, 2, 3, 4, 5, 6) })).success).toBe(false);
  expect(exitsSchema.safeParse(exitsOf({ steps: steps(50, 50) })).success).toBe(false);
});
