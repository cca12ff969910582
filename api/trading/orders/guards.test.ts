import { describe, expect, test } from 'vitest';
import { KEPT_BACK_LAMPORTS } from '../../../common/trading/account.ts';
import { type Reason, type ReasonCode, reason } from '../../../common/trading/reasons.ts';
import { testCoin } from '../testing/desk.ts';
import { type GuardFacts, type PricedFacts, refusalAtQuote, refusalBeforeQuote, warningsOf } from './guards.ts';

const coin = testCoin('coin');
const facts: GuardFacts = {
  side: 'buy',
  server: 'local',
  isStoppedForAll: false,
  wallet: { hasKey: true },
  needsKey: true,
  isStopped: false,
  isBlacklisted: false,
  coin,
  tradesPools: false,
  reservedLamports: 0,
  terms: { slippageBps: 500, priorityMaxLamports: 1_000, tipLamports: 2_000 },
  limits: { priorityMaxLamports: 1_000, tipLamports: 2_000 },
};
const refusal = (of: GuardFacts, at: typeof quote, limits: Reason | null = null) =>
  refusalAtQuote(of, { quote: at, limits });
const quote: PricedFacts['quote'] = { impactBps: 100, totalLamports: 1_000_000n, walletLamports: 100_000_000n };

/** Facts that refuse a purchase before its price is asked for, the first reason first; all but some also refuse a sale. */
const refusing: [ReasonCode, Partial<GuardFacts>, 'also sales'?][] = [
  ['trading-off', { server: 'off' }, 'also sales'],
  ['stopped-all', { isStoppedForAll: true }],
  ['stopped', { isStopped: true }],
  ['no-wallet', { wallet: null }, 'also sales'],
  ['no-key', { wallet: { hasKey: false } }, 'also sales'],
  ['blacklisted', { isBlacklisted: true }],
  ['not-sol', { coin: { ...coin, quote: 'USDC' } }, 'also sales'],
  ['between-venues', { coin: { ...coin, stage: 'complete' } }, 'also sales'],
  ['in-pool', { coin: { ...coin, stage: 'pool' } }, 'also sales'],
  ['no-depth', { coin: { ...coin, reserves: null } }],
  ['stale', { coin: { ...coin, isLive: false } }],
];

describe('before the price', () => {
  test.each([
    ['priority-limit', 'priorityMaxLamports', 1_000],
    ['tip-limit', 'tipLamports', 2_000],
  ] as const)('%s refuses purchases and sales beyond it, with its figures', (code, name, needsLamports) => {
    const limits = { ...facts.limits, [name]: needsLamports - 1 };
    for (const side of ['buy', 'sell'] as const) {
      expect(refusalBeforeQuote({ ...facts, side, limits })).toEqual(
        reason(code, { needsLamports, limitLamports: needsLamports - 1 }),
      );
    }
  });

  test('an order without obstacles is not refused', () => {
    expect(refusalBeforeQuote(facts)).toBeNull();
    expect(refusalBeforeQuote({ ...facts, needsKey: false, wallet: { hasKey: false } })).toBeNull();
  });

  test('a coin in a pool is traded where the server trades in pools, at the reserves of the pool [T-45]', () => {
    const inPool = { ...facts, tradesPools: true, coin: { ...coin, stage: 'pool', reservesVenue: 'pool' } } as const;
    expect(refusalBeforeQuote(inPool)).toBeNull();
    const onCurve = { ...inPool, coin: { ...inPool.coin, reservesVenue: 'curve' } } as const;
    expect(refusalBeforeQuote(onCurve)).toEqual(reason('no-depth'));
    expect(refusalBeforeQuote({ ...onCurve, side: 'sell' })).toBeNull();
  });

  test.each(refusing)('%s refuses [S2.7-06]', (code, change, sales) => {
    expect(refusalBeforeQuote({ ...facts, ...change })).toEqual(reason(code));
    const ofSale = refusalBeforeQuote({ ...facts, ...change, side: 'sell' });
    expect(ofSale).toEqual(sales ? reason(code) : null);
  });

  test('the first reason counts', () => {
    const found = refusing.map((_, at) => {
      const later = refusing.slice(at).toReversed();
      return refusalBeforeQuote(Object.assign({}, facts, ...later.map(([, change]) => change)))?.code;
    });
    // The facts of a coin exclude one another.
    expect(found.slice(0, 6)).toEqual(refusing.slice(0, 6).map(([code]) => code));
  });
});

describe('at the price', () => {
  test('a purchase within all limits is not refused', () => {
    expect(refusal(facts, quote)).toBeNull();
    expect(refusal(facts, { ...quote, impactBps: 500 })).toBeNull();
  });

  test('its own impact and limits refuse it, in this order [T-12]', () => {
    const limits = reason('day-budget', { needsLamports: 2, leftLamports: 1 });
    const impact = reason('impact', { impactBps: 501, slippageBps: 500 });
    expect(refusal(facts, { ...quote, impactBps: 501 }, limits)).toEqual(impact);
    expect(refusal(facts, quote, limits)).toEqual(limits);
  });

  test('the wallet has to pay it with all costs and keep what a sale costs [T-10]', () => {
    const needs = 1_000_000 + KEPT_BACK_LAMPORTS;
    expect(refusal(facts, { ...quote, walletLamports: BigInt(needs) })).toBeNull();
    const has = needs - 1;
    const balance = reason('balance', {
      hasLamports: has,
      needsLamports: 1_000_000,
      keptBackLamports: KEPT_BACK_LAMPORTS,
    });
    expect(refusal(facts, { ...quote, walletLamports: BigInt(has) })).toEqual(balance);
    expect(refusal(facts, { ...quote, walletLamports: null })).toEqual(reason('node-away'));
    // What other orders have reserved is still in the wallet, and not for this one.
    const reserved = { ...facts, reservedLamports: 1 };
    expect(refusal(reserved, { ...quote, walletLamports: BigInt(needs) })).toEqual(balance);
    expect(refusal(reserved, { ...quote, walletLamports: BigInt(needs + 1) })).toBeNull();
  });

  test('nothing of it refuses a sale', () => {
    const limits = reason('day-loss', { limitLamports: 1 });
    const bad = { impactBps: 9_000, totalLamports: 1n, walletLamports: null };
    expect(refusal({ ...facts, side: 'sell' }, bad, limits)).toBeNull();
  });
});

test('warnings name the facts that a buyer confirms, and no sale needs them', () => {
  expect(warningsOf('buy', coin)).toEqual([]);
  expect(warningsOf('buy', { ...coin, riskScore: null })).toEqual(['unknown-risk']);
  // As the level on the token's page.
  expect(warningsOf('buy', { ...coin, riskScore: 70 })).toEqual([]);
  const bad = { riskScore: 71, liquidityLamports: 499_999_999, hasCopiedSymbol: true };
  expect(warningsOf('buy', bad)).toEqual(['high-risk', 'low-liquidity', 'copied-symbol']);
  expect(warningsOf('sell', bad)).toEqual([]);
});
