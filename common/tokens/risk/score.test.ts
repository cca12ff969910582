import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { riskSchema } from '../model.ts';
import { checkIds, coverageText, riskReasonText } from './reason.ts';
import { isStandardLaunch, type Maturity, noFacts, type RiskFacts, riskChecks, riskScore, scoreRisk } from './score.ts';
import { anyContext, anyFacts, clearFacts, fact } from './testing.ts';

const pool = { stage: 'pool', standard: false } as const;
const curve = { stage: 'curve', standard: true } as const;
const early = fact<Maturity>('early');

const scoreOf = (facts: Partial<RiskFacts>) => riskScore(clearFacts(facts), pool).score;

describe('risk score', () => {
  test('clear facts that have earned it give the score 0 and the coverage 100 [S3-08]', () => {
    expect(riskScore(clearFacts(), pool)).toEqual({ score: 0, coverage: 100, reason: null, known: 29, total: 29 });
  });

  test.each<[string, Partial<RiskFacts>, number]>([
    ['one launch', { creatorLaunches24h: fact(1) }, 0],
    ['two launches', { creatorLaunches24h: fact(2) }, 4],
    ['three launches', { creatorLaunches24h: fact(3) }, 6],
    ['ten launches', { creatorLaunches24h: fact(10) }, 12],
    ['one rug', { creatorRugged: fact(1) }, 12],
    ["another's name", { otherCreator: fact(true) }, 8],
    ['developer bought 5 %', { developerBought: fact(5) }, 0],
    ['developer bought 5.1 %', { developerBought: fact(5.1) }, 2],
    ['developer bought 10.1 %', { developerBought: fact(10.1) }, 5],
    ['developer bought 20.1 %', { developerBought: fact(20.1) }, 14],
    ['developer holds 20.1 %', { creatorHolds: fact(20.1) }, 14],
    ['developer of 3 % sold 0.1 %', { developerBought: fact(3), developerSold: fact(0.1) }, 2],
    ['developer of 3 % sold 10.1 %', { developerBought: fact(3), developerSold: fact(10.1) }, 12],
    ['developer of 3 % sold 50 %', { developerBought: fact(3), developerSold: fact(50) }, 25],
    ['developer of 2.9 % sold 50 %', { developerBought: fact(2.9), developerSold: fact(50) }, 6],
    ['developer of 3 % sold 50 % early', { developerBought: fact(3), developerSoldEarly: fact(50) }, 8],
    ['insiders bought 5 %', { insidersBought: fact(5) }, 0],
    ['insiders bought 5.1 %', { insidersBought: fact(5.1) }, 15],
    ['insiders bought 15.1 %', { insidersBought: fact(15.1) }, 22],
    ['insiders bought 30.1 %', { insidersBought: fact(30.1) }, 30],
    ['two insiders', { insiderWallets: fact(2) }, 3],
    ['six insiders', { insiderWallets: fact(6) }, 14],
    ['insiders of 3 % sold half', { insidersBought: fact(3), insidersSold: fact(50) }, 12],
    ['insiders of 2.9 % sold half', { insidersBought: fact(2.9), insidersSold: fact(50) }, 0],
    ['suspicious to a service', { suspicious: fact(true) }, 15],
    ['not suspicious to it', { suspicious: fact(false) }, 0],
    ['no organic trading', { organicScore: fact(0) }, 2],
    ['little organic trading', { organicScore: fact(0.1) }, 0],
    ['1 SOL pulled from another pool', { lpPulled: fact({ sol: 1, byInsider: true }) }, 0],
    ['60 SOL pulled from another pool by a stranger', { lpPulled: fact({ sol: 60, byInsider: false }) }, 8],
    ['1.1 % sold without a purchase', { unboughtSales: fact(1.1) }, 10],
    ['LP 49.9 % unlocked', { lpUnlocked: fact(49.9) }, 0],
    ['LP 50 % unlocked', { lpUnlocked: fact(50) }, 18],
    ['top ten 20 %', { topTen: fact(20) }, 0],
    ['top ten 20.1 %', { topTen: fact(20.1) }, 6],
    ['top ten 50.1 %', { topTen: fact(50.1) }, 15],
    ['largest 10.1 %', { largestWallet: fact(10.1) }, 2],
    ['largest 50.1 %', { largestWallet: fact(50.1) }, 15],
    ['liquidity 25 % below its peak', { drawdown: fact(25) }, 6],
    ['liquidity 50 % below its peak', { drawdown: fact(50) }, 18],
    ['price 50 % below its peak', { priceFall: fact(50) }, 10],
    ['5 SOL', { liquidity: fact(5) }, 0],
    ['19 buys', { buysWithoutSell: fact(19) }, 0],
    ['20 buys', { buysWithoutSell: fact(20) }, 10],
    ['odd curve', { standardCurve: fact(false) }, 8],
    ['a fee', { transferFeeBps: fact(1) }, 6],
    ['a fee above 5 %', { transferFeeBps: fact(501) }, 12],
    ['a twin', { symbolTwin: fact('So1') }, 5],
    ['30 holders', { holders: fact(30) }, 0],
    ['mutable metadata', { metadataMutable: fact(true) }, 2],
    ['no file', { metadataFile: fact(false) }, 2],
    // Below these limits a low score is not earned: 31 points more.
    ['4.9 SOL', { liquidity: fact(4.9) }, 33],
    ['0.9 SOL', { liquidity: fact(0.9) }, 35],
    ['29 holders', { holders: fact(29) }, 33],
    ['9 holders', { holders: fact(9), topTen: fact(21) }, 40],
  ])('%s [S3-08]', (_case, facts, points) => expect(scoreOf(facts)).toBe(points));

  test.each<[string, Partial<RiskFacts>]>([
    ['mint authority', { mintAuthorityLive: fact(true) }],
    ['freeze authority', { freezeAuthorityLive: fact(true) }],
    ['extension', { extensions: fact(['permanentDelegate']) }],
    ['two rugs', { creatorRugged: fact(2) }],
    ['drained', { drained: fact(true) }],
    ['rugged', { rugged: fact(true) }],
  ])('a hard flag (%s) lifts the score to 90, however little else is known [S3-08]', (_case, facts) => {
    expect(scoreOf(facts)).toBe(90);
    expect(riskScore({ ...noFacts(), ...facts }, curve)).toMatchObject({ score: 90, reason: Object.keys(facts)[0] });
  });

  test('never exceeds 100 [S3-06]', () => {
    const worst = { topTen: fact(99), developerBought: fact(99), developerSold: fact(100), insidersBought: fact(99) };
    expect(scoreOf({ ...worst, rugged: fact(true), mintAuthorityLive: fact(true) })).toBe(100);
  });
});

describe('a low score is earned', () => {
  test.each<[string, Partial<RiskFacts>]>([
    ['two minutes of age', { maturity: early }],
    ['two minutes without a sale by an insider', { maturity: fact<Maturity>('insider-sale') }],
    ['a known liquidity', { liquidity: null }],
    ['known holders', { holders: null }],
    [
      '80 % of the checks',
      {
        ...{ drawdown: null, priceFall: null, topTen: null, largestWallet: null, creatorRugged: null },
        symbolTwin: null,
      },
    ],
  ])('by %s: without it a clean coin has no score and one with a finding at least 31 [S3-08]', (_case, facts) => {
    expect(scoreOf(facts)).toBeNull();
    expect(scoreOf({ ...facts, metadataMutable: fact(true) })).toBe(33);
  });

  test('little liquidity and few holders are no findings in the first two minutes', () => {
    const small = { liquidity: fact(0.5), holders: fact(3) };
    expect(scoreOf({ ...small, maturity: early })).toBeNull();
    expect(scoreOf(small)).toBe(38);
  });

  test('the largest wallets of fewer than ten holders are unknown unless they are a finding', () => {
    const describeOf = (topTen: number) =>
      scoreRisk(clearFacts({ holders: fact(9), topTen: fact(topTen) }), pool).factors.find(({ id }) => id === 'topTen');
    expect(describeOf(20)?.state).toBe('unknown');
    expect(describeOf(20.1)?.state).toBe('risk');
  });

  test('an unknown score has a reason', () => {
    const reasonOf = (facts: RiskFacts, standard = true) => riskScore(facts, { stage: 'curve', standard }).reason;
    expect(reasonOf(clearFacts({ maturity: early }))).toBe('too-early');
    expect(reasonOf(clearFacts({ maturity: early, holders: fact(0) }))).toBe('no-buyers');
    expect(reasonOf(noFacts(), false)).toBe('mint-unread');
    expect(reasonOf(noFacts())).toBe('too-little-known');
    expect(riskScore(clearFacts({ liquidity: null }), pool)).toMatchObject({ score: null, reason: 'pool-unobserved' });
  });

  test('a score names its heaviest finding, hard ones first', () => {
    const facts = { drained: fact(true), insidersBought: fact(40), topTen: fact(21) };
    expect(riskScore(clearFacts(facts), pool).reason).toBe('drained');
    expect(riskScore(clearFacts({ ...facts, drained: fact(false) }), pool).reason).toBe('insidersBought');
  });
});

describe('checks by stage and launchpad', () => {
  test('the LP check applies in a pool only [S3-08]', () => {
    const facts = clearFacts({ lpUnlocked: fact(100) });
    expect(riskScore(facts, { stage: 'curve', standard: false })).toMatchObject({ score: 0, total: 27 });
    expect(riskScore(facts, pool).score).toBe(18);
  });

  test('what the launchpad guarantees leaves score and coverage of a standard coin, and counts when it fails', () => {
    const unread = clearFacts({ mintAuthorityLive: null, freezeAuthorityLive: null, extensions: null });
    const risk = scoreRisk(unread, curve);
    expect(risk).toMatchObject({ score: 0, known: 21, total: 21 });
    expect(risk.factors.filter(({ standard }) => standard).map(({ id, state }) => `${id} ${state}`)).toEqual([
      'mintAuthorityLive clear',
      'freezeAuthorityLive clear',
      'extensions clear',
      'transferFeeBps clear',
      'standardCurve clear',
    ]);
    expect(riskScore(clearFacts({ mintAuthorityLive: fact(true) }), curve)).toMatchObject({ score: 90, total: 22 });
    expect(isStandardLaunch('pump.fun', false)).toBe(true);
    expect(isStandardLaunch('pump.fun', true)).toBe(false);
    expect(isStandardLaunch('pump.fun', null)).toBe(false);
    expect(isStandardLaunch('letsbonk.fun', false)).toBe(false);
  });

  test('every check id has its check', () => {
    expect(riskChecks.map(({ id }) => id)).toEqual(checkIds);
  });
});

test('the judgement of a service applies only once it is known', () => {
  const without = riskScore(clearFacts(), curve);
  expect(riskScore(clearFacts({ suspicious: fact(false) }), curve).total).toBe(without.total + 1);
  const { factors } = scoreRisk(clearFacts({ suspicious: fact(true) }), curve);
  expect(factors[0]).toMatchObject({ id: 'suspicious', evidence: 'Jupiter marks the coin as suspicious.' });
  expect(scoreRisk(clearFacts(), curve).factors.some(({ id }) => id === 'suspicious')).toBe(false);
});

describe('factors', () => {
  test('carry state, points, evidence with figures and limit, source and time [S3-08]', () => {
    const facts = clearFacts({ developerBought: fact(12.4), creatorHolds: fact(3), symbolTwin: null });
    const risk = scoreRisk(facts, curve);
    expect(riskSchema.parse(risk)).toEqual(risk);
    expect(risk.factors[0]).toEqual({
      id: 'developerStake',
      label: "Developer's share",
      state: 'risk',
      points: 5,
      maxPoints: 14,
      evidence: 'The developer bought 12.4 % of the supply and holds 3 % (limit 10 %).',
      source: 'test',
      readAt: '2026-09-21T14:13:20.000Z',
      hard: false,
      standard: false,
    });
    expect(risk.factors[1]).toMatchObject({ id: 'symbolTwin', state: 'unknown', source: null, readAt: null });
    expect(risk).toMatchObject({ known: 20, total: 21, reason: 'developerStake' });
    expect(coverageText(risk)).toBe('20 of 21 checks are known. Missing: Copied symbol.');
    expect(coverageText(scoreRisk(clearFacts(), curve))).toBe('All 21 checks are known.');
  });

  test('insiders that bought little count nothing, and the evidence shows why', () => {
    const { factors } = scoreRisk(clearFacts({ insidersBought: fact(1.7), insidersSold: fact(100) }), curve);
    expect(factors.find(({ id }) => id === 'insidersSold')).toMatchObject({
      points: 0,
      evidence: 'Insiders have sold 100 % of the 1.7 % of the supply they bought (counts from 3 % of the supply on).',
    });
  });

  test('evidence of clear checks and of tiny purchases reads as a sentence', () => {
    const evidence = (facts: Partial<RiskFacts>, wanted: string) =>
      scoreRisk(clearFacts(facts), curve).factors.find(({ id }) => id === wanted)?.evidence;
    expect(evidence({ priceFall: fact(0) }, 'priceFall')).toBe('The price is at its peak, or hardly below.');
    expect(evidence({ drawdown: fact(50) }, 'drawdown')).toBe(
      'The liquidity is 50 % or more below its peak (counts from 50 % on).',
    );
    expect(evidence({ developerBought: fact(0.01), developerSold: fact(100) }, 'developerSold')).toBe(
      'The developer bought less than 0.1 % of the supply and has sold 100 % of it (limit 50 %).',
    );
    expect(evidence({ developerBought: fact(4), developerSold: fact(2) }, 'developerSold')).toBe(
      'The developer bought 4 % of the supply and has sold 2 % of it (any sale counts).',
    );
    expect(evidence({ developerBought: fact(4), developerSold: fact(0) }, 'developerSold')).toBe(
      'The developer bought 4 % of the supply and has sold nothing of it.',
    );
  });

  test('a low score that is not earned is a factor behind the findings', () => {
    const { factors } = scoreRisk(clearFacts({ liquidity: fact(3), holders: fact(12) }), curve);
    expect(factors.slice(0, 3).map(({ id, points }) => [id, points])).toEqual([
      ['liquidity', 2],
      ['holders', 2],
      ['unproven', 31],
    ]);
  });

  test('any mixture of facts gives a valid risk whose factors add up to the score [S3-06]', () => {
    fc.assert(
      fc.property(anyFacts, anyContext, (facts, context) => {
        const risk = scoreRisk(facts, context);
        expect(riskSchema.safeParse(risk).success).toBe(true);
        const { factors, rulesVersion, ...rest } = risk;
        expect(riskScore(facts, context)).toEqual(rest);
        const sum = factors.reduce((total, factor) => total + factor.points, 0);
        const hard = factors.some((factor) => factor.hard);
        if (risk.score !== null) expect(risk.score).toBe(Math.max(hard ? 90 : 0, Math.min(100, sum)));
        else expect(sum).toBe(0);
        for (const factor of factors) {
          expect(factor.points).toBeLessThanOrEqual(factor.maxPoints);
          expect(factor.evidence).not.toMatch(/undefined|NaN|null/);
        }
      }),
    );
  });
});

describe('reason texts', () => {
  test('name the reason, and the age while it is too early', () => {
    const times = { createdAt: 1_000_000, now: 1_014_900 };
    expect(riskReasonText('too-early', times)).toBe('too early · 0:14');
    expect(riskReasonText('too-early', { ...times, createdAt: null })).toBe('too early');
    expect(riskReasonText('no-buyers', times)).toBe('no buyers yet');
    expect(riskReasonText('mint-unread', times)).toBe('mint not read');
    expect(riskReasonText('drained', times)).toBe('drained');
  });
});
