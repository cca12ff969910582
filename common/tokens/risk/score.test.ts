import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { riskSchema } from '../model.ts';
import { riskChecks } from './checks.ts';
import { type Fact, noFacts, type RiskFacts, riskScore, scoreRisk } from './score.ts';

const fact = <Value>(value: Value): Fact<Value> => ({ value, at: 1_790_000_000_000, source: 'test' });

/** Everything known, nothing wrong. */
function clean(overrides: Partial<RiskFacts> = {}): RiskFacts {
  return {
    creatorRugged: fact(0),
    creatorLaunches24h: fact(0),
    lpUnlocked: fact(0),
    topTen: fact(10),
    largestWallet: fact(5),
    creatorHolds: fact(1),
    sameSlotBuyers: fact(0),
    creatorSoldEarly: fact(0),
    liquidity: fact(50),
    buysWithoutSell: fact(0),
    standardCurve: fact(true),
    transferFeeBps: fact(0),
    symbolTwin: fact(''),
    holders: fact(100),
    metadataMutable: fact(false),
    metadataFile: fact(true),
    mintAuthorityLive: fact(false),
    freezeAuthorityLive: fact(false),
    extensions: fact<string[]>([]),
    ...overrides,
  };
}

function pointsOf(facts: Partial<RiskFacts>): number | null {
  return riskScore(clean(facts), { stage: 'pool' }).score;
}

describe('risk score', () => {
  test('clear facts give the score 0 and the coverage 100 [S3-08]', () => {
    expect(riskScore(clean(), { stage: 'pool' })).toEqual({ score: 0, coverage: 100 });
  });

  test.each<[string, Partial<RiskFacts>, number]>([
    ['two launches', { creatorLaunches24h: fact(2) }, 0],
    ['three launches', { creatorLaunches24h: fact(3) }, 6],
    ['nine launches', { creatorLaunches24h: fact(9) }, 6],
    ['ten launches', { creatorLaunches24h: fact(10) }, 12],
    ['one rug', { creatorRugged: fact(1) }, 20],
    ['LP 49.9 % unlocked', { lpUnlocked: fact(49.9) }, 0],
    ['LP 50 % unlocked', { lpUnlocked: fact(50) }, 18],
    ['top ten 30 %', { topTen: fact(30) }, 0],
    ['top ten 30.1 %', { topTen: fact(30.1) }, 5],
    ['top ten 50.1 %', { topTen: fact(50.1) }, 10],
    ['top ten 70.1 %', { topTen: fact(70.1) }, 15],
    ['largest 10 %', { largestWallet: fact(10) }, 0],
    ['largest 10.1 %', { largestWallet: fact(10.1) }, 4],
    ['largest 20.1 %', { largestWallet: fact(20.1) }, 8],
    ['largest 50.1 %', { largestWallet: fact(50.1) }, 15],
    ['creator 5.1 %', { creatorHolds: fact(5.1) }, 4],
    ['creator 10.1 %', { creatorHolds: fact(10.1) }, 8],
    ['creator 20.1 %', { creatorHolds: fact(20.1) }, 12],
    ['bundle 5.1 %', { sameSlotBuyers: fact(5.1) }, 5],
    ['bundle 15.1 %', { sameSlotBuyers: fact(15.1) }, 10],
    ['bundle 30.1 %', { sameSlotBuyers: fact(30.1) }, 15],
    ['creator sold 49.9 %', { creatorSoldEarly: fact(49.9) }, 0],
    ['creator sold 50 %', { creatorSoldEarly: fact(50) }, 15],
    ['20 SOL', { liquidity: fact(20) }, 0],
    ['19.9 SOL', { liquidity: fact(19.9) }, 3],
    ['4.9 SOL', { liquidity: fact(4.9) }, 6],
    ['0.9 SOL', { liquidity: fact(0.9) }, 10],
    ['19 buys', { buysWithoutSell: fact(19) }, 0],
    ['20 buys', { buysWithoutSell: fact(20) }, 10],
    ['odd curve', { standardCurve: fact(false) }, 8],
    ['a fee', { transferFeeBps: fact(1) }, 6],
    ['a fee of 5 %', { transferFeeBps: fact(500) }, 6],
    ['a fee above 5 %', { transferFeeBps: fact(501) }, 12],
    ['a twin', { symbolTwin: fact('So1') }, 5],
    ['9 holders', { holders: fact(9) }, 5],
    ['10 holders', { holders: fact(10) }, 2],
    ['30 holders', { holders: fact(30) }, 0],
    ['mutable metadata', { metadataMutable: fact(true) }, 2],
    ['no file', { metadataFile: fact(false) }, 2],
  ])('%s [S3-08]', (_case, facts, points) => expect(pointsOf(facts)).toBe(points));

  test.each<[string, Partial<RiskFacts>]>([
    ['mint authority', { mintAuthorityLive: fact(true) }],
    ['freeze authority', { freezeAuthorityLive: fact(true) }],
    ['extension', { extensions: fact(['permanentDelegate']) }],
    ['two rugs', { creatorRugged: fact(2) }],
  ])('a hard flag (%s) lifts the score to 90, however little else is known [S3-08]', (_case, facts) => {
    expect(pointsOf(facts)).toBe(90);
    expect(riskScore({ ...noFacts(), ...facts }, { stage: 'curve' }).score).toBe(90);
  });

  test('never exceeds 100 [S3-06]', () => {
    const worst = clean({
      creatorRugged: fact(9),
      topTen: fact(99),
      largestWallet: fact(99),
      creatorHolds: fact(99),
      sameSlotBuyers: fact(99),
      creatorSoldEarly: fact(100),
      lpUnlocked: fact(100),
      mintAuthorityLive: fact(true),
    });
    expect(riskScore(worst, { stage: 'pool' }).score).toBe(100);
  });

  test('unknown facts give no score, never a safe one [S3-08]', () => {
    expect(riskScore(noFacts(), { stage: 'curve' })).toEqual({ score: null, coverage: 0 });
  });

  test('the LP check applies in a pool only [S3-08]', () => {
    expect(riskScore(clean({ lpUnlocked: null }), { stage: 'curve' }).coverage).toBe(100);
    expect(riskScore(clean({ lpUnlocked: null }), { stage: 'pool' }).coverage).toBeLessThan(100);
    expect(riskScore(clean({ lpUnlocked: fact(100) }), { stage: 'curve' }).score).toBe(0);
  });

  test('half of the weight gives a score, a point less does not [S3-08]', () => {
    const total = riskChecks.filter((check) => check.applies('curve')).reduce((sum, check) => sum + check.maxPoints, 0);
    let weight = 0;
    const facts = noFacts();
    for (const check of riskChecks.filter(({ applies }) => applies('curve'))) {
      const before = riskScore(facts, { stage: 'curve' });
      expect(before.score === null).toBe(weight / total < 0.5);
      Object.assign(facts, { [check.id]: clean()[check.id] });
      weight += check.maxPoints;
    }
    expect(riskScore(facts, { stage: 'curve' }).score).toBe(0);
  });

  test('factors carry state, points, evidence with figures and limit, source and time [S3-08]', () => {
    const risk = scoreRisk(clean({ creatorHolds: fact(12.4), holders: null }), { stage: 'curve' });
    expect(riskSchema.parse(risk)).toEqual(risk);
    expect(risk.factors.find(({ id }) => id === 'creatorHolds')).toEqual({
      id: 'creatorHolds',
      label: 'Creator holding',
      state: 'risk',
      points: 8,
      maxPoints: 12,
      evidence: 'The creator holds 12.4 % of the supply (limit 10 %).',
      source: 'test',
      readAt: '2026-09-21T14:13:20.000Z',
      hard: false,
    });
    expect(risk.factors.find(({ id }) => id === 'holders')).toMatchObject({
      state: 'unknown',
      points: 0,
      source: null,
      readAt: null,
    });
    expect(risk).toMatchObject({ known: 17, total: 18 });
  });

  test('any mixture of facts gives a valid risk whose factors add up to the score [S3-06]', () => {
    const share = fc.option(fc.double({ min: 0, max: 100, noNaN: true }).map(fact));
    const number = fc.option(fc.nat(50).map(fact));
    const truth = fc.option(fc.boolean().map(fact));
    const anyFacts = fc.record<RiskFacts>({
      creatorRugged: number,
      creatorLaunches24h: number,
      lpUnlocked: share,
      topTen: share,
      largestWallet: share,
      creatorHolds: share,
      sameSlotBuyers: share,
      creatorSoldEarly: share,
      liquidity: share,
      buysWithoutSell: number,
      standardCurve: truth,
      transferFeeBps: number,
      symbolTwin: fc.option(fc.constantFrom('', 'twin').map(fact)),
      holders: number,
      metadataMutable: truth,
      metadataFile: truth,
      mintAuthorityLive: truth,
      freezeAuthorityLive: truth,
      extensions: fc.option(fc.subarray(['transferHook', 'pausable']).map(fact)),
    });
    fc.assert(
      fc.property(anyFacts, fc.constantFrom('curve', 'complete', 'pool'), (facts, stage) => {
        const risk = scoreRisk(facts, { stage });
        expect(riskSchema.safeParse(risk).success).toBe(true);
        expect(riskScore(facts, { stage })).toEqual({ score: risk.score, coverage: risk.coverage });
        const sum = Math.min(
          100,
          risk.factors.reduce((total, factor) => total + factor.points, 0),
        );
        const hard = risk.factors.some((factor) => factor.hard);
        if (risk.score !== null) expect(risk.score).toBe(hard ? Math.max(90, sum) : sum);
        else expect(hard).toBe(false);
        for (const factor of risk.factors) {
          expect(factor.points).toBeLessThanOrEqual(factor.maxPoints);
          expect(factor.evidence).not.toMatch(/undefined|NaN|null/);
        }
      }),
    );
  });
});
