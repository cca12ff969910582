import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BuyPlan, conditionsMet, type Decision, flaws, windowOf, wouldBuy } from './conditions.ts';
import { firstBuy } from './first-buy.ts';
import { type HistoryPoint, type TokenHistory, withPoint } from './history.ts';
import { allMet, anyMet, type Met } from './met.ts';
import {
  type Configuration,
  holderOptions,
  liquidityOptions,
  priceOptions,
  type StrategyType,
  strategyTypes,
  timeOptions,
} from './model.ts';
import { candidate, DETECTED, isoAfter, later, planOf, point } from './testing/histories.ts';

// The same paths in every run.
fc.configureGlobal({ seed: 20_261_121 });

/** A price of 1 SOL, a liquidity of 5 SOL, 20 holders. */
const known = point(0, { price: 1, liquidity: 5, holders: 20 });
const history: TokenHistory = { detectedAt: DETECTED, points: [known] };
const immediately: Configuration = { timeConfig: { option: 'buy_immediately' } };

/** One section of each kind: met, not met yet, not known, and never. */
const met = { option: 'buy_immediately' } as const;
const waiting = { option: 'buy_at_fixed_price', targetPrice: 0.5 } as const;
const unknown = { option: 'buy_at_minimum_holders', minHolders: 10 } as const;
const never = { option: 'buy_at_minimum_liquidity' } as const;
const withoutHolders: TokenHistory = { detectedAt: DETECTED, points: [{ ...known, holders: null }] };

describe('mixed strategies', () => {
  const mixed = (configuration: Configuration) =>
    conditionsMet({ type: 'mixed', configuration }, withoutHolders, later(1));

  test('with requireAllConditions all sections that are there must be met [S2.10-11]', () => {
    const requireAllConditions = true;
    expect(mixed({ timeConfig: met, requireAllConditions })).toBe('met');
    expect(mixed({ timeConfig: met, priceConfig: waiting, requireAllConditions })).toBe('waiting');
    expect(mixed({ timeConfig: met, holderConfig: unknown, requireAllConditions })).toBe('unknown');
    expect(mixed({ timeConfig: met, liquidityConfig: never, requireAllConditions })).toBe('never');
    const enough = { option: 'buy_at_fixed_price', targetPrice: 1 } as const;
    expect(mixed({ timeConfig: met, priceConfig: enough, requireAllConditions })).toBe('met');
  });

  test('without it any one is enough [S2.10-11]', () => {
    expect(mixed({ timeConfig: met, priceConfig: waiting, liquidityConfig: never })).toBe('met');
    expect(mixed({ timeConfig: met, holderConfig: unknown, requireAllConditions: false })).toBe('met');
    expect(mixed({ priceConfig: waiting, liquidityConfig: never })).toBe('waiting');
    expect(mixed({ priceConfig: waiting, holderConfig: unknown })).toBe('unknown');
    expect(mixed({ liquidityConfig: never })).toBe('never');
  });

  test('without any section nothing is ever bought [S2.10-11]', () => {
    expect(mixed({})).toBe('never');
    expect(mixed({ requireAllConditions: true })).toBe('never');
  });

  test('requireAllConditions means nothing to the other types, and neither do sections of other types [S2.10-11]', () => {
    const configuration: Configuration = { timeConfig: met, priceConfig: waiting, requireAllConditions: false };
    expect(conditionsMet({ type: 'time_based', configuration }, history, later(1))).toBe('met');
    expect(conditionsMet({ type: 'price_based', configuration }, history, later(1))).toBe('waiting');
    expect(conditionsMet({ type: 'holder_based', configuration }, history, later(1))).toBe('never');
    expect(flaws({ type: 'mixed', configuration: { timeConfig: met, liquidityConfig: never } })).toEqual([
      'no target liquidity is set',
    ]);
  });

  test('what is unknown never makes a condition met, whatever it would turn out to be [S2.10-11]', () => {
    const outcomes = fc.array(fc.constantFrom<Met>('met', 'waiting', 'unknown', 'never'), { maxLength: 5 });
    const revealed = (parts: Met[], as: Met) => parts.map((part) => (part === 'unknown' ? as : part));
    fc.assert(
      fc.property(outcomes, (parts) => {
        for (const join of [allMet, anyMet]) {
          if (join(parts) === 'met') expect(join(revealed(parts, 'waiting'))).toBe('met');
          // Told as unknown only where it does matter.
          if (join(parts) === 'unknown') {
            expect(join(revealed(parts, 'met'))).toBe('met');
            expect(join(revealed(parts, 'waiting'))).toBe('waiting');
          }
        }
      }),
    );
  });
});

describe('whether a strategy buys', () => {
  const decide = (plan: Partial<BuyPlan>, token: Partial<typeof candidate> = {}, points: HistoryPoint[] = [known]) =>
    wouldBuy(planOf(immediately, plan), { ...candidate, ...token }, { detectedAt: DETECTED, points }, later(1));

  test('only while it is active and a wallet is set [S3-44]', () => {
    expect(decide({})).toBe('buy');
    expect(decide({ isActive: false })).toBe('inactive');
    expect(decide({ hasWallet: false })).toBe('no-wallet');
  });

  test.each<[number, Decision]>([
    [4.9, 'buy'],
    [5, 'buy'],
    [5.000_001, 'low-liquidity'],
  ])('with minLiquidity %d SOL and 5 SOL there: %s [S3-44]', (minLiquidity, decision) => {
    expect(decide({ minLiquidity })).toBe(decision);
  });

  test.each<[number, Decision]>([
    [9.9, 'high-risk'],
    [10, 'buy'],
    [100, 'buy'],
  ])('with maxScamProbability %d %% and a risk of 10 %%: %s [S3-44]', (maxScamProbability, decision) => {
    expect(decide({ maxScamProbability })).toBe(decision);
  });

  test('what a limit needs must be known: unknown is never safe, and never 0 [S3-44]', () => {
    const noLiquidity = [{ ...known, liquidity: null }];
    expect(decide({ minLiquidity: 0 }, {}, noLiquidity)).toBe('unknown-liquidity');
    expect(decide({ minLiquidity: 1 }, {}, [])).toBe('unknown-liquidity');
    expect(decide({ maxScamProbability: 100 }, { risk: null })).toBe('unknown-risk');
    expect(decide({ minLiquidity: null, maxScamProbability: null }, { risk: null }, noLiquidity)).toBe('buy');
    expect(decide({}, { risk: null }, [])).toBe('buy');
  });

  test('a limit that is known to be missed is said before one that can not be told [S3-44]', () => {
    expect(decide({ minLiquidity: 9, maxScamProbability: 30 }, { risk: null })).toBe('low-liquidity');
    expect(decide({ minLiquidity: 1, maxScamProbability: 5 }, {}, [])).toBe('high-risk');
    expect(decide({ minLiquidity: 1, maxScamProbability: 30 }, { risk: null }, [])).toBe('unknown-liquidity');
  });

  test('whitelisted tokens skip the limit of the risk, and no other [S3-44]', () => {
    expect(decide({ maxScamProbability: 5 }, { listed: 'white', risk: 99 })).toBe('buy');
    expect(decide({ maxScamProbability: 5 }, { listed: 'white', risk: null })).toBe('buy');
    expect(decide({ minLiquidity: 9, maxScamProbability: 5 }, { listed: 'white' })).toBe('low-liquidity');
    expect(decide({ isActive: false }, { listed: 'white' })).toBe('inactive');
  });

  test('blacklisted tokens and those it has bought are not bought [S3-44]', () => {
    expect(decide({}, { listed: 'black' })).toBe('blacklisted');
    expect(decide({}, { bought: true })).toBe('already-bought');
  });

  test('the conditions are asked before the limits [S3-44]', () => {
    const plan = planOf({ priceConfig: waiting }, { minLiquidity: 99 });
    expect(wouldBuy(plan, candidate, history, later(1))).toBe('waiting');
    expect(wouldBuy(planOf({ liquidityConfig: never }), candidate, history, later(1))).toBe('never');
    expect(wouldBuy(planOf({ holderConfig: unknown }), candidate, withoutHolders, later(1))).toBe('unknown-value');
  });
});

describe('along a path', () => {
  test('time itself can decide between two points [S3-40]', () => {
    const plan = planOf({ timeConfig: { option: 'buy_after_duration', duration: 90 } });
    const path = { detectedAt: DETECTED, points: [known, point(60, known), point(120, known)] };
    expect(firstBuy(plan, candidate, path, later(200))).toEqual({ at: later(90) });
    expect(firstBuy(plan, candidate, path, later(89))).toEqual({ at: null, unknown: false });
  });

  test('the purchase waits until the liquidity is there [S3-44]', () => {
    const points = [point(0, { liquidity: null }), point(10, { liquidity: 1 }), point(20, { liquidity: 2 })];
    const plan = planOf(immediately, { minLiquidity: 2, maxScamProbability: 30 });
    const path = { detectedAt: DETECTED, points };
    expect(firstBuy(plan, candidate, path, later(100))).toEqual({ at: later(20) });
    expect(firstBuy(plan, { ...candidate, risk: null }, path, later(100))).toEqual({ at: null, unknown: true });
    expect(firstBuy(plan, { ...candidate, risk: 31 }, path, later(100))).toEqual({ at: null, unknown: false });
  });
});

// Any plan over any path: values on a coarse grid, so that bounds are met exactly now and then.

const level = fc.option(fc.integer({ min: 0, max: 12 }), { nil: null, freq: 6 });
const steps = fc.array(
  fc.record({ wait: fc.integer({ min: 0, max: 40 }), price: level, liquidity: level, holders: level }),
  {
    minLength: 1,
    maxLength: 25,
  },
);
const figure = fc.option(fc.integer({ min: 0, max: 120 }), { nil: undefined, freq: 8 });
const moment = fc.option(
  fc.integer({ min: -50, max: 400 }).map((seconds) => isoAfter(seconds)),
  { nil: undefined },
);

function section<Option extends string, Fields>(
  options: readonly Option[],
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) {
  const made = fc.record({ option: fc.constantFrom(...options), ...fields }).map((entries) => definedOnly(entries));
  return fc.option(made, { nil: undefined, freq: 4 });
}

/** Without the fields that are undefined, as JSON has them. */
function definedOnly<Fields extends object>(fields: Fields): Fields {
  const clone = { ...fields };
  for (const [name, value] of Object.entries(clone)) if (value === undefined) Reflect.deleteProperty(clone, name);
  return clone;
}

const configurations: fc.Arbitrary<Configuration> = fc
  .record({
    timeConfig: section(timeOptions, { duration: figure, targetTime: moment, startTime: moment, endTime: moment }),
    priceConfig: section(priceOptions, {
      targetPrice: figure,
      percentageFromLow: figure,
      trendPercentage: figure,
      trendDuration: figure,
    }),
    liquidityConfig: section(liquidityOptions, {
      targetLiquidity: figure,
      percentageChange: figure,
      monitorDuration: figure,
    }),
    holderConfig: section(holderOptions, {
      minHolders: figure,
      increaseRatePercentage: figure,
      monitorDuration: figure,
    }),
    requireAllConditions: fc.boolean(),
  })
  .map((entries) => definedOnly(entries));

const plans: fc.Arbitrary<BuyPlan> = fc.record({
  type: fc.constantFrom<StrategyType>(...strategyTypes, 'mixed', 'mixed'),
  configuration: configurations,
  minLiquidity: fc.option(fc.integer({ min: 0, max: 8 })),
  isActive: fc.constant(true),
  hasWallet: fc.constant(true),
});

/** Steps as points; the first may lie before detection. */
function pathFrom(
  made: readonly { wait: number; price: number | null; liquidity: number | null; holders: number | null }[],
) {
  let seconds = -20;
  return made.map(({ wait, ...values }) => {
    seconds += wait;
    return point(seconds, values);
  });
}

test('nothing looks ahead: later points never change an earlier decision [S3-39]', () => {
  fc.assert(
    fc.property(plans, steps, fc.nat(24), (plan, made, cut) => {
      const points = pathFrom(made);
      const until = points.slice(0, cut + 1);
      const now = until.at(-1)?.at ?? DETECTED;
      // Points of the same moment belong to it.
      const before = points.filter(({ at }) => at <= now);
      const decision = wouldBuy(plan, candidate, { detectedAt: DETECTED, points: before }, now);
      expect(wouldBuy(plan, candidate, { detectedAt: DETECTED, points }, now)).toBe(decision);
      const bought = firstBuy(plan, candidate, { detectedAt: DETECTED, points: before }, now);
      if (bought.at !== null)
        expect(firstBuy(plan, candidate, { detectedAt: DETECTED, points }, later(1e6))).toEqual(bought);
    }),
    { numRuns: 500 },
  );
});

test('who follows a token point by point decides as who knows the whole path [S3-39]', () => {
  fc.assert(
    fc.property(plans, steps, (plan, made) => {
      const points = pathFrom(made);
      let followed: TokenHistory = { detectedAt: DETECTED, points: [] };
      for (const [index, next] of points.entries()) {
        followed = withPoint(followed, next, windowOf(plan));
        const whole = { detectedAt: DETECTED, points: points.slice(0, index + 1) };
        // Also somewhat later, while nothing new is heard.
        for (const now of [next.at, next.at + 7000]) {
          expect(wouldBuy(plan, candidate, followed, now)).toBe(wouldBuy(plan, candidate, whole, now));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('the first purchase is at the first moment at which the strategy would buy, looked at every half second [S3-39]', () => {
  fc.assert(
    fc.property(plans, steps, (plan, made) => {
      const path = { detectedAt: DETECTED, points: pathFrom(made) };
      const end = Math.max(later(0), path.points.at(-1)?.at ?? 0) + 130_000;
      const found = firstBuy(plan, candidate, path, end);
      let first: number | null = null;
      for (let now = DETECTED; now <= end && first === null; now += 500) {
        if (wouldBuy(plan, candidate, path, now) === 'buy') first = now;
      }
      expect(found.at).toBe(first);
    }),
    { numRuns: 200 },
  );
});

test('what a history keeps is bounded by the window', () => {
  let followed: TokenHistory = { detectedAt: DETECTED, points: [] };
  for (let seconds = 0; seconds < 1000; seconds += 1) {
    followed = withPoint(followed, point(seconds, { price: 1000 - seconds }), 60_000);
    expect(followed.points.length).toBeLessThanOrEqual(61);
  }
  expect(followed.lowBefore).toBe(1000 - 938);
});
