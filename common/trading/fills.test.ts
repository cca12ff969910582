import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STANDARD_CURVE } from '../tokens/curve.ts';
import {
  afterCurveTrade,
  CURVE_FEES_BPS,
  curvePurchase,
  curveSale,
  type TradedReserves,
} from '../tokens/curve-trades.ts';
import { type CurveAsk, type ExtraCosts, noExtraCosts, quoteOnCurve } from './fills.ts';

const SOL = 1_000_000_000;
const { virtualQuote, virtualToken, realToken } = STANDARD_CURVE;
const START: TradedReserves = { virtualQuote, virtualToken, realQuote: 0, realToken };
const FIRST_PURCHASE: ExtraCosts = {
  ...noExtraCosts,
  networkFeeLamports: 5_000,
  priorityFeeLamports: 100_000,
  accountRentLamports: 2_039_280,
  volumeRentLamports: 1_844_400,
};

const purchase = (ask: Partial<CurveAsk>): CurveAsk => ({
  side: 'buy',
  amount: SOL,
  slippageBps: 500,
  decimals: 6,
  ...ask,
});

function quoted(reserves: TradedReserves, ask: CurveAsk, extra = noExtraCosts) {
  const quote = quoteOnCurve(reserves, CURVE_FEES_BPS, ask, extra);
  if (!quote.ok) throw new Error(quote.reason.code);
  return quote.value;
}

/** A curve after a purchase of a random size. */
const curves = fc.integer({ min: 1_000_000, max: 80 * SOL }).map((spend) => {
  const bought = curvePurchase(START, spend, CURVE_FEES_BPS);
  return bought ? afterCurveTrade(START, 'buy', bought.quote, bought.tokens) : START;
});

describe('the quote of a purchase', () => {
  test('equals a recorded one of mainnet and names every cost', () => {
    const quote = quoted(START, purchase({ amount: 3 * SOL, slippageBps: 1_500 }), FIRST_PURCHASE);
    expect(quote).toEqual({
      tokens: 96_449_438_144_093,
      lamports: 3 * SOL,
      least: 92_152_442_267_421,
      spotPrice: expect.closeTo(2.795e-8, 10),
      averagePrice: expect.closeTo(3.072e-8, 10),
      impactBps: 988,
      costs: { ...FIRST_PURCHASE, launchpadFeeLamports: 37_037_038 },
      totalLamports: 3 * SOL + 5_000 + 100_000 + 2_039_280 + 1_844_400,
    });
  });

  test('is refused when its own impact exceeds the slippage', () => {
    expect(quoteOnCurve(START, CURVE_FEES_BPS, purchase({ amount: 3 * SOL }), noExtraCosts)).toEqual({
      ok: false,
      reason: { code: 'impact', numbers: { impactBps: 988, slippageBps: 500 } },
    });
  });

  test('is refused when it is too small to bring a token', () => {
    expect(quoteOnCurve(START, CURVE_FEES_BPS, purchase({ amount: 2 }), noExtraCosts)).toMatchObject({
      reason: { code: 'too-small' },
    });
  });

  test('pays for the last tokens of the curve what they cost', () => {
    const quote = quoted(START, purchase({ amount: 500 * SOL, slippageBps: 5_000_000 }));
    expect(quote.tokens).toBe(STANDARD_CURVE.realToken);
    expect(quote.lamports).toBeLessThan(87 * SOL);
  });

  test('accepts exactly the prices up to its slippage', () => {
    fc.assert(
      fc.property(
        curves,
        fc.integer({ min: 10_000, max: SOL }),
        fc.integer({ min: 10, max: 5_000 }),
        (curve, amount, slippageBps) => {
          const quote = quoteOnCurve(curve, CURVE_FEES_BPS, purchase({ amount, slippageBps }), noExtraCosts);
          fc.pre(quote.ok);
          const { least, lamports, costs } = quote.value;
          const worst = (tokens: number) =>
            BigInt(lamports - costs.launchpadFeeLamports) * BigInt(curve.virtualToken) * 10_000n <=
            BigInt(tokens) * BigInt(curve.virtualQuote) * BigInt(10_000 + slippageBps);
          expect(worst(least)).toBe(true);
          expect(worst(least - 1)).toBe(false);
        },
      ),
    );
  });
});

describe('the quote of a sale', () => {
  test('gives back what a purchase paid less both fees, and the rent', () => {
    const bought = quoted(START, purchase({}));
    const after = afterCurveTrade(START, 'buy', bought.lamports - bought.costs.launchpadFeeLamports, bought.tokens);
    const extra = { ...noExtraCosts, networkFeeLamports: 5_000, returnedRentLamports: 2_039_280 };
    const sale = quoted(after, { side: 'sell', amount: bought.tokens, slippageBps: 500, decimals: 6 }, extra);
    const fees = bought.costs.launchpadFeeLamports + sale.costs.launchpadFeeLamports;
    expect(sale.lamports).toBeGreaterThanOrEqual(SOL - fees - 3);
    expect(sale.lamports).toBeLessThanOrEqual(SOL - fees);
    expect(sale.totalLamports).toBe(sale.least - 5_000 + 2_039_280);
  });

  test('has no bound below zero', () => {
    const quote = quoted(START, purchase({}));
    const after = afterCurveTrade(START, 'buy', quote.lamports - quote.costs.launchpadFeeLamports, quote.tokens);
    const extra = { ...noExtraCosts, networkFeeLamports: 5_000 };
    const dust = quoted(after, { side: 'sell', amount: 200_000, slippageBps: 5_000, decimals: 6 }, extra);
    expect(dust.totalLamports).toBe(0);
  });

  test('is refused when the curve does not hold so much', () => {
    expect(curveSale(START, 1_000_000, CURVE_FEES_BPS)).toBeNull();
  });
});
