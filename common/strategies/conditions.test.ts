import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../testing/effort.ts';
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
/** Sections by outcome. */
const met = { option: 'buy_immediately' } as const;
const waiting = { option: 'buy_at_fixed_price', targetPrice: 0.5 } as const;
const unknown = { option: 'buy_at_minimum_holders', minHolders: 10 } as const;
const never = { option: 'buy_at_minimum_liquidity' } as const;
const withoutHolders: TokenHistory = { detectedAt: DETECTED, points: [{ ...known, holders: null }] };

describe('mixed strategies', () => {
  const mixed = (configuration: Configuration) =>
    conditionsMet({ type: 'mixed', configuration }, withoutHolders, later(1));

  test('needs every section with requireAllConditions [S2.10-11]', () => {
    const requireAllConditions = true;
    expect(mixed({ timeConfig: met, requireAllConditions })).toBe('met');
    expect(mixed({ timeConfig: met, priceConfig: waiting, requireAllConditions })).toBe('waiting');
    expect(mixed({ timeConfig: met, holderConfig: unknown, requireAllConditions })).toBe('unknown');
    expect(mixed({ timeConfig: met, liquidityConfig: never, requireAllConditions })).toBe('never');
    const enough = { option: 'buy_at_fixed_price', targetPrice: 1 } as const;
    expect(mixed({ timeConfig: met, priceConfig: enough, requireAllConditions })).toBe('met');
  });

  test('needs any one section without requireAllConditions [S2.10-11]', () => {
    expect(mixed({ timeConfig: met, priceConfig: waiting, liquidityConfig: never })).toBe('met');
    expect(mixed({ timeConfig: met, holderConfig: unknown, requireAllConditions: false })).toBe('met');
    expect(mixed({ priceConfig: waiting, liquidityConfig: never })).toBe('waiting');
    expect(mixed({ priceConfig: waiting, holderConfig: unknown })).toBe('unknown');
    expect(mixed({ liquidityConfig: never })).toBe('never');
  });

  test('never buys without a section [S2.10-11]', () => {
    expect(mixed({})).toBe('never');
    expect(mixed({ requireAllConditions: true })).toBe('never');
  });

  test('ignores requireAllConditions and foreign sections for single types [S2.10-11]', () => {
    const configuration: Configuration = { timeConfig: met, priceConfig: waiting, requireAllConditions: false };
    expect(conditionsMet({ type: 'time_based', configuration }, history, later(1))).toBe('met');
    expect(conditionsMet({ type: 'price_based', configuration }, history, later(1))).toBe('waiting');
    expect(conditionsMet({ type: 'holder_based', configuration }, history, later(1))).toBe('never');
    expect(flaws({ type: 'mixed', configuration: { timeConfig: met, liquidityConfig: never } })).toEqual([
      'no target liquidity is set',
    ]);
  });

  test('is met only when every possible value of the unknown parts meets it [S2.10-11]', () => {
    const outcomes = fc.array(fc.constantFrom<Met>('met', 'waiting', 'unknown', 'never'), { maxLength: 5 });
    const revealed = (parts: Met[], as: Met) => parts.map((part) => (part === 'unknown' ? as : part));
    fc.assert(
      fc.property(outcomes, (parts) => {
        for (const join of [allMet, anyMet]) {
          if (join(parts) === 'met') expect(join(revealed(parts, 'waiting'))).toBe('met');
          // Unknown only when the missing value decides.
          if (join(parts) === 'unknown') {
            expect(join(revealed(parts, 'met'))).toBe('met');
            expect(join(revealed(parts, 'waiting'))).toBe('waiting');
          }
        }
      }),
    );
  });
});

describe('the decision of a strategy', () => {
  const decide = (plan: Partial<BuyPlan>, token: Partial<typeof candidate> = {}, points: HistoryPoint[] = [known]) =>
    wouldBuy(planOf(immediately, plan), { ...candidate, ...token }, { detectedAt: DETECTED, points }, later(1));

  test('buys only while the strategy is active and a wallet is set [S3-44]', () => {
    expect(decide({})).toBe('buy');
    expect(decide({ isActive: false })).toBe('inactive');
    expect(decide({ hasWallet: false })).toBe('no-wallet');
  });

  test.each<[number, Decision]>([
    [4.9, 'buy'],
    [5, 'buy'],
    [5.000_001, 'low-liquidity'],
  ])('with minLiquidity %d SOL and a liquidity of 5 SOL: %s [S3-44]', (minLiquidity, decision) => {
    expect(decide({ minLiquidity })).toBe(decision);
  });

  test.each<[number, Decision]>([
    [9.9, 'high-risk'],
    [10, 'buy'],
    [100, 'buy'],
  ])('with maxScamProbability %d %% and a risk of 10 %%: %s [S3-44]', (maxScamProbability, decision) => {
    expect(decide({ maxScamProbability })).toBe(decision);
  });

  test('treats an unknown value neither as safe nor as 0 [S3-44]', () => {
    const noLiquidity = [{ ...known, liquidity: null }];
    expect(decide({ minLiquidity: 0 }, {}, noLiquidity)).toBe('unknown-liquidity');
    expect(decide({ minLiquidity: 1 }, {}, [])).toBe('unknown-liquidity');
    expect(decide({ maxScamProbability: 100 }, { risk: null })).toBe('unknown-risk');
    expect(decide({ minLiquidity: null, maxScamProbability: null }, {}, noLiquidity)).toBe('buy');
    expect(decide({}, {}, [])).toBe('buy');
  });

  test('does not buy at an unknown risk, even without a limit, unless the plan allows it [D43]', () => {
    for (const plan of [{}, { maxScamProbability: 100 }, { maxScamProbability: null }]) {
      expect(decide(plan, { risk: null })).toBe('unknown-risk');
      expect(decide({ ...plan, buyUnknownRisk: true }, { risk: null })).toBe('buy');
    }
    expect(decide({ maxScamProbability: 5, buyUnknownRisk: true })).toBe('high-risk');
    expect(decide({ minLiquidity: 9, buyUnknownRisk: true }, { risk: null })).toBe('low-liquidity');
    expect(decide({}, { listed: 'white', risk: null })).toBe('buy');
  });

  test.each<[number, number | null, Decision]>([
    [60, 60, 'buy'],
    [60.001, 60, 'too-late'],
    [1e6, null, 'buy'],
  ])('%d s after detection, with a limit of %s s: %s', (seconds, buyWithinSeconds, decision) => {
    expect(wouldBuy(planOf(immediately, { buyWithinSeconds }), candidate, history, later(seconds))).toBe(decision);
  });

  test('reports a missed limit before an unknown value [S3-44]', () => {
    expect(decide({ minLiquidity: 9, maxScamProbability: 30 }, { risk: null })).toBe('low-liquidity');
    expect(decide({ minLiquidity: 1, maxScamProbability: 5 }, {}, [])).toBe('high-risk');
    expect(decide({ minLiquidity: 1, maxScamProbability: 30 }, { risk: null }, [])).toBe('unknown-liquidity');
  });

  test('exempts whitelisted tokens from the risk limit only [S3-44]', () => {
    expect(decide({ maxScamProbability: 5 }, { listed: 'white', risk: 99 })).toBe('buy');
    expect(decide({ maxScamProbability: 5 }, { listed: 'white', risk: null })).toBe('buy');
    expect(decide({ minLiquidity: 9, maxScamProbability: 5 }, { listed: 'white' })).toBe('low-liquidity');
    expect(decide({ isActive: false }, { listed: 'white' })).toBe('inactive');
  });

  test('does not buy blacklisted or already bought tokens [S3-44]', () => {
    expect(decide({}, { listed: 'black' })).toBe('blacklisted');
    expect(decide({}, { bought: true })).toBe('already-bought');
  });

  test('evaluates the conditions before the limits [S3-44]', () => {
    const plan = planOf({ priceConfig: waiting }, { minLiquidity: 99 });
    expect(wouldBuy(plan, candidate, history, later(1))).toBe('waiting');
    expect(wouldBuy(planOf({ liquidityConfig: never }), candidate, history, later(1))).toBe('never');
    expect(wouldBuy(planOf({ holderConfig: unknown }), candidate, withoutHolders, later(1))).toBe('unknown-value');
  });
});

// Arbitrary plans over arbitrary paths. Values are on a coarse grid so that bounds are sometimes met exactly.

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

/** Removes undefined fields, as JSON does. */
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
  buyUnknownRisk: fc.boolean(),
  isActive: fc.constant(true),
  hasWallet: fc.constant(true),
});

/** Converts steps to points; the first may lie before detection. */
function pathFrom(
  made: readonly { wait: number; price: number | null; liquidity: number | null; holders: number | null }[],
) {
  let seconds = -20;
  return made.map(({ wait, ...values }) => {
    seconds += wait;
    return point(seconds, values);
  });
}

test('never changes a decision because of later points [S3-39]', () => {
  fc.assert(
    fc.property(plans, steps, fc.nat(24), (plan, made, cut) => {
      const points = pathFrom(made);
      const until = points.slice(0, cut + 1);
      const now = until.at(-1)?.at ?? DETECTED;
      // Points at the same moment are included.
      const before = points.filter(({ at }) => at <= now);
      const decision = wouldBuy(plan, candidate, { detectedAt: DETECTED, points: before }, now);
      expect(wouldBuy(plan, candidate, { detectedAt: DETECTED, points }, now)).toBe(decision);
      const bought = firstBuy(plan, candidate, { detectedAt: DETECTED, points: before }, now);
      if (bought.at !== null)
        expect(firstBuy(plan, candidate, { detectedAt: DETECTED, points }, later(1e6))).toEqual(bought);
    }),
    { numRuns: rounds(500) },
  );
});

test('decides the same point by point as over the whole path [S3-39]', () => {
  fc.assert(
    fc.property(plans, steps, (plan, made) => {
      const points = pathFrom(made);
      let followed: TokenHistory = { detectedAt: DETECTED, points: [] };
      for (const [index, next] of points.entries()) {
        followed = withPoint(followed, next, windowOf(plan));
        const whole = { detectedAt: DETECTED, points: points.slice(0, index + 1) };
        // Also between two points.
        for (const now of [next.at, next.at + 7000]) {
          expect(wouldBuy(plan, candidate, followed, now)).toBe(wouldBuy(plan, candidate, whole, now));
        }
      }
    }),
    { numRuns: rounds(500) },
  );
});

test('finds the same first purchase as an evaluation every half second [S3-39]', () => {
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
    { numRuns: rounds(200) },
  );
});

test('bounds a history by its window', () => {
  let followed: TokenHistory = { detectedAt: DETECTED, points: [] };
  for (let seconds = 0; seconds < 1000; seconds += 1) {
    followed = withPoint(followed, point(seconds, { price: 1000 - seconds }), 60_000);
    expect(followed.points.length).toBeLessThanOrEqual(61);
  }
  expect(followed.lowBefore).toBe(1000 - 938);
});
