import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoteForSale, type TradedReserves } from './curve-trades.ts';
import {
  afterPoolTrade,
  poolFees,
  poolFeesAt,
  poolFeesOn,
  poolPurchase,
  poolSale,
  poolTokensForQuote,
  totalPoolFee,
} from './pool-trades.ts';

const SOL = 1_000_000_000;
const SUPPLY = 1_000_000_000_000_000;
const pool = (quote: number, token: number): TradedReserves => ({
  virtualQuote: quote,
  virtualToken: token,
  realQuote: quote,
  realToken: token,
});
/** A pool right after its migration. */
const MIGRATED = pool(84_990_359_056, 206_900_000_000_000);
const product = ({ virtualQuote, virtualToken }: TradedReserves): bigint => BigInt(virtualQuote) * BigInt(virtualToken);

const pools = fc
  .tuple(fc.integer({ min: SOL, max: 100_000 * SOL }), fc.integer({ min: 1_000_000, max: SUPPLY }))
  .map(([quote, token]) => pool(quote, token));
const spends = fc.integer({ min: 1, max: 100 * SOL });

describe('the fees of a pool', () => {
  test('follow its market cap', () => {
    expect([419, 420, 2_000, 5_000, 1_000_000].map((cap) => totalPoolFee(poolFees(cap)))).toEqual([
      125, 120, 115, 100, 30,
    ]);
  });

  test('are those of the lowest step right after a migration, and of the next one after a rise', () => {
    expect(poolFeesAt(MIGRATED)).toMatchObject({ provider: 2, protocol: 93, creator: 30 });
    const risen = pool(MIGRATED.virtualQuote * 2, MIGRATED.virtualToken);
    expect(poolFeesAt(risen).provider).toBe(20);
  });
});

describe('a trade in a pool', () => {
  test('equals a recorded sale of mainnet, with its fees', () => {
    const recorded = pool(718_214_085_022, 38_896_104_996_620);
    const fees = { provider: 20, protocol: 5, creator: 0 };
    expect(poolSale(recorded, 2_362_629_325, fees)).toEqual({
      quote: 43_623_149,
      tokens: 2_362_629_325,
      fees: { provider: 87_247, protocol: 21_812, creator: 0 },
    });
  });

  test('never costs more than is spent, nor a unit less than the fees leave', () => {
    fc.assert(
      fc.property(pools, spends, (reserves, spend) => {
        const fees = poolFeesAt(reserves);
        const trade = poolPurchase(reserves, spend, fees);
        fc.pre(trade !== null);
        expect(trade.quote + totalPoolFee(trade.fees)).toBeLessThanOrEqual(spend);
        // At most what the three rounded fees take.
        expect(trade.quote + totalPoolFee(trade.fees)).toBeGreaterThanOrEqual(spend - 3);
        expect(trade.tokens).toBeLessThan(reserves.realToken);
      }),
    );
  });

  test('never takes from the pool: a purchase and its sale bring back at most the payment', () => {
    fc.assert(
      fc.property(pools, spends, (reserves, spend) => {
        const fees = poolFeesAt(reserves);
        const bought = poolPurchase(reserves, spend, fees);
        fc.pre(bought !== null);
        const after = afterPoolTrade(reserves, 'buy', { ...bought, providerFee: 0 });
        expect(product(after)).toBeGreaterThanOrEqual(product(reserves));
        const sold = poolSale(after, bought.tokens, fees);
        expect(sold?.quote ?? 0).toBeLessThanOrEqual(bought.quote);
      }),
    );
  });

  test('leaves the fee of the providers in the pool', () => {
    const quote = 3 * SOL;
    const tokens = poolTokensForQuote(MIGRATED, quote);
    const bought = afterPoolTrade(MIGRATED, 'buy', { quote, tokens, providerFee: 600_000 });
    expect(bought).toEqual(pool(MIGRATED.virtualQuote + quote + 600_000, MIGRATED.virtualToken - tokens));
    const back = quoteForSale(bought, tokens);
    const sold = afterPoolTrade(bought, 'sell', { quote: back, tokens, providerFee: 0 });
    expect(product(sold)).toBeGreaterThanOrEqual(product(bought));
  });

  test('is none for an amount that moves nothing, or that its fees exceed', () => {
    const fees = poolFees(100);
    expect(poolPurchase(MIGRATED, 3, fees)).toBeNull();
    expect(poolSale(MIGRATED, 0, fees)).toBeNull();
    expect(poolSale(MIGRATED, 5_000, fees)).toBeNull();
    expect(totalPoolFee(poolFeesOn(10_000, fees))).toBe(125);
  });
});
