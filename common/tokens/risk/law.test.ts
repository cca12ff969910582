import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../testing/effort.ts';
import { noFacts, type RiskContext, type RiskFacts, riskScore, scoreRisk } from './score.ts';
import { anyContext, anyFacts, fact } from './testing.ts';

/** Direction in which a fact gets worse. */
const worseWhen = {
  higher: [
    'creatorRugged',
    'creatorLaunches24h',
    'developerBought',
    'creatorHolds',
    'creatorHeld',
    'developerSold',
    'developerSoldEarly',
    'insidersBought',
    'insidersSold',
    'unboughtSales',
    'lpUnlocked',
    'topTen',
    'largestWallet',
    'drawdown',
    'priceFall',
    'buysWithoutSell',
    'transferFeeBps',
  ],
  lower: ['liquidity', 'holders', 'organicScore'],
  true: [
    'otherCreator',
    'drained',
    'rugged',
    'suspicious',
    'metadataMutable',
    'mintAuthorityLive',
    'freezeAuthorityLive',
  ],
  false: ['standardCurve', 'metadataFile'],
} as const;

/** Makes one known fact worse; unknown ones stay unknown. */
const worsened = fc.oneof(
  fc.tuple(fc.constantFrom(...worseWhen.higher), fc.double({ min: 0, max: 100, noNaN: true })).map(
    ([key, by]) =>
      (facts: RiskFacts): RiskFacts =>
        facts[key] === null ? facts : { ...facts, [key]: fact(facts[key].value + by) },
  ),
  fc.tuple(fc.constantFrom(...worseWhen.lower), fc.double({ min: 0, max: 1, noNaN: true })).map(
    ([key, left]) =>
      (facts: RiskFacts): RiskFacts =>
        facts[key] === null ? facts : { ...facts, [key]: fact(Math.floor(facts[key].value * left)) },
  ),
  fc.double({ min: 0, max: 100, noNaN: true }).map(
    (by) =>
      (facts: RiskFacts): RiskFacts =>
        facts.lpPulled === null
          ? facts
          : {
              ...facts,
              lpPulled: fact({ sol: facts.lpPulled.value.sol + by, byInsider: facts.lpPulled.value.byInsider }),
            },
  ),
  fc.constantFrom(...worseWhen.true).map(
    (key) =>
      (facts: RiskFacts): RiskFacts =>
        facts[key] === null ? facts : { ...facts, [key]: fact(true) },
  ),
  fc.constantFrom(...worseWhen.false).map(
    (key) =>
      (facts: RiskFacts): RiskFacts =>
        facts[key] === null ? facts : { ...facts, [key]: fact(false) },
  ),
);

/** Every fact but the clock's, which is always known. */
const factKeys = (Object.keys(noFacts()) as (keyof RiskFacts)[]).filter((key) => key !== 'maturity');
const isLow = (score: number | null) => score !== null && score <= 30;

/** Returns the points of all findings, without those of a low score that is not earned. */
function findings(facts: RiskFacts, context: RiskContext): number {
  const factors = scoreRisk(facts, context).factors.filter(({ id }) => id !== 'unproven');
  return factors.reduce((sum, { points }) => sum + points, 0);
}

describe('the law of the risk score', () => {
  test('a worse fact never lowers the score and never makes it unknown again', () => {
    fc.assert(
      fc.property(anyFacts, anyContext, worsened, (facts, context, worsen) => {
        const before = riskScore(facts, context).score;
        const after = riskScore(worsen(facts), context).score;
        if (before === null) expect(isLow(after)).toBe(false);
        // A clean coin may lose a condition of its low score; unknown is not safer than low.
        else if (isLow(before)) expect(after === null || after >= before).toBe(true);
        else expect(after).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('knowing a fact never takes a finding away, and unknown facts alone earn nothing', () => {
    fc.assert(
      fc.property(anyFacts, anyContext, fc.constantFrom(...factKeys), (facts, context, key) => {
        const unknown = { ...facts, [key]: null };
        expect(findings(facts, context)).toBeGreaterThanOrEqual(findings(unknown, context));
        const { score, known, total } = riskScore(unknown, context);
        if (isLow(score)) expect(known / total).toBeGreaterThanOrEqual(0.8);
      }),
      { numRuns: rounds(500) },
    );
  });
});
