import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../time.ts';
import type { CaseCounts, TokenCalibration } from './model.ts';
import { ageReports, compareToken } from './report.ts';
import { calibrationAge, hasDoubled, hasLost, marketOf, scoreBin, scoreBins } from './rules.ts';
import { lostSentence, runnerSentence, scoresText } from './sentence.ts';

function counts(fields: Partial<CaseCounts>): CaseCounts {
  return {
    day: '2026-11-22',
    market: 'live',
    rulesVersion: 2,
    age: 2 * MINUTE,
    score: 20,
    cases: 0,
    lost: 0,
    doubled: 0,
    onCurve: 0,
    graduated: 0,
    runners: 0,
    runnersDoubled: 0,
    runnersOnCurve: 0,
    runnersGraduated: 0,
    ...fields,
  };
}

describe('the rules', () => {
  test('bins of scores end where the bands end', () => {
    expect(scoreBins).toHaveLength(10);
    expect([0, 10, 11, 30, 30.4, 70, 70.5, 100].map((score) => scoreBin(score)?.to)).toEqual([
      10, 10, 20, 30, 40, 70, 80, 100,
    ]);
    expect(scoreBin(null)).toBeNull();
  });

  test('a token is compared at the nearest recorded age at or below its own', () => {
    expect([29 * SECOND, 30 * SECOND, 9 * MINUTE, HOUR, 2 * HOUR].map(calibrationAge)).toEqual([
      null,
      30 * SECOND,
      2 * MINUTE,
      HOUR,
      HOUR,
    ]);
  });

  test('a token older than two hours is not compared', () => {
    expect([2 * HOUR + 1, 72 * HOUR].map(calibrationAge)).toEqual([null, null]);
    const old = compareToken({ market: 'live', age: 72 * HOUR, score: 17, runner: true }, 2, [
      counts({ age: HOUR, cases: 1_000, lost: 100 }),
    ]);
    expect([lostSentence(old), runnerSentence(old)]).toEqual([null, null]);
  });

  test('tokens of test networks belong to no market', () => {
    const metadata = { source: 'pump.fun', detectedBy: 'solana', cluster: 'mainnet', uri: null, quote: 'SOL' } as const;
    expect(marketOf({ metadata })).toBe('live');
    expect(marketOf({ metadata: { ...metadata, detectedBy: 'replay' } })).toBe('replay');
    expect(marketOf({ metadata: { ...metadata, detectedBy: 'simulator', cluster: null } })).toBe('simulated');
    expect(marketOf({ metadata: { ...metadata, cluster: 'devnet' } })).toBeNull();
  });

  test('outcomes include their limits', () => {
    expect([hasLost(10, 2), hasLost(10, 2.01)]).toEqual([true, false]);
    expect([hasDoubled(1, 2), hasDoubled(1, 1.99), hasDoubled(null, 5)]).toEqual([true, false, false]);
  });
});

describe('the report', () => {
  const [, report] = ageReports([
    counts({ score: 20, cases: 90, lost: 9, doubled: 10 }),
    counts({ score: 25, cases: 10, lost: 1, day: '2026-11-23' }),
    counts({ score: 80, cases: 40, lost: 30, runners: 8, runnersDoubled: 2, doubled: 6 }),
    counts({ score: null, cases: 5, lost: 0, onCurve: 5, graduated: 1 }),
    counts({ score: 20, cases: 1_000, lost: 1_000, age: HOUR }),
  ]);

  test('sums the cases of each age', () => {
    expect(report).toMatchObject({ age: 2 * MINUTE, cases: 145, lost: { cases: 145, events: 40 } });
  });

  test('gives the rate of each bin and band', () => {
    expect(report?.bins).toHaveLength(11);
    expect(report?.bins[1]).toMatchObject({ scores: { from: 11, to: 20 }, lost: { cases: 90, events: 9 } });
    expect(report?.bins.at(-1)).toMatchObject({ scores: null, lost: { cases: 5, events: 0, share: { value: 0 } } });
    expect(report?.bands.map(({ band, lost }) => [band, lost.cases, lost.events])).toEqual([
      ['Low Risk', 100, 10],
      ['Medium Risk', 0, 0],
      ['High Risk', 40, 30],
      ['Unknown', 5, 0],
    ]);
    expect(report?.bands[1]?.lost.share).toBeNull();
  });

  test('gives precision, recall and base rate of the runner list', () => {
    expect(report?.runners.doubled).toMatchObject({
      precision: { cases: 8, events: 2 },
      recall: { cases: 16, events: 2 },
      base: { cases: 145, events: 16 },
    });
    expect(report?.runners.graduated).toMatchObject({ recall: { cases: 1, events: 0 }, base: { cases: 5, events: 1 } });
  });
});

describe('the sentence of a token', () => {
  const calibrated = (cases: number, lost: number, fields: Partial<CaseCounts> = {}): TokenCalibration =>
    compareToken({ market: 'live', age: 3 * MINUTE, score: 17, runner: true }, 2, [
      counts({ cases, lost, ...fields }),
      // Other markets, ages, rules and scores do not count.
      counts({ cases: 9_999, lost: 9_999, market: 'simulated' }),
      counts({ cases: 9_999, lost: 9_999, age: HOUR }),
      counts({ cases: 9_999, lost: 9_999, rulesVersion: 1 }),
      counts({ cases: 100, lost: 100, score: 21 }),
    ]);

  test('says how many coins scored like this lost their liquidity', () => {
    expect(lostSentence(calibrated(1_204, 349))).toBe(
      'Of 1,204 coins scored like this at this age, 29 % lost 80 % of their liquidity within an hour (26–32 %)',
    );
  });

  test('says so while there are fewer than 200 cases', () => {
    expect(lostSentence(calibrated(199, 50))).toBe('not enough cases yet');
    expect(lostSentence(calibrated(200, 50))).toMatch(/^Of 200 coins/);
  });

  test('compares runners with any coin', () => {
    const runners = { runners: 300, runnersDoubled: 36, doubled: 121 };
    expect(runnerSentence(calibrated(1_000, 10, runners))).toBe(
      'Of 300 runners at this age, 12 % doubled within an hour (9–16 %); any coin: 11 %',
    );
    expect(runnerSentence(calibrated(1_000, 10, { runners: 20 }))).toBe('not enough cases yet');
  });

  test('is absent where nothing comparable is measured', () => {
    const young = compareToken({ market: 'live', age: 20 * SECOND, score: 17, runner: false }, 2, []);
    expect(lostSentence(young)).toBeNull();
    const testNetwork = compareToken({ market: null, age: HOUR, score: null, runner: false }, 2, []);
    expect([lostSentence(testNetwork), runnerSentence(testNetwork)]).toEqual([null, null]);
    const noRunner = compareToken({ market: 'live', age: HOUR, score: 17, runner: false }, 2, []);
    expect(runnerSentence(noRunner)).toBeNull();
  });

  test('names the scores that count as alike', () => {
    expect([scoresText({ from: 11, to: 20 }), scoresText(null)]).toEqual(['score 11–20', 'score Unknown']);
  });
});
