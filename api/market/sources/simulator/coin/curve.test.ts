import { describe, expect, test } from 'vitest';
import {
  afterCurveTrade,
  CURVE_FEE_BPS,
  CURVE_FEES_BPS,
  feeOn,
  netOfFee,
  quoteForSale,
  quoteForTokens,
  tokensForQuote,
} from '../../../../../common/tokens/curve-trades.ts';
import {
  afterPoolTrade,
  poolFees,
  poolTokensForQuote,
  totalPoolFee,
} from '../../../../../common/tokens/pool-trades.ts';
import type { Reserves } from '../../observation.ts';
import { CURVE_START, MIGRATION_FEE_LAMPORTS, migratedPool, priceOf, TOTAL_SUPPLY } from './curve.ts';

/** Mainnet trades of July 2026: quote, tokens, virtual quote and virtual token afterwards, protocol fee, creator fee. */
type RecordedTrade = readonly [number, number, number, number, number, number];
const BUYS_OF_EXACT_TOKENS: readonly RecordedTrade[] = [
  [1_981_246, 8_804_378_857, 85_110_922_761, 378_212_341_237_783, 18_822, 5_944],
  [100_000_001, 1_232_464_931_507, 51_156_179_005, 629_249_501_591_576, 950_001, 300_001],
  [130_510_393, 1_601_265_365_825, 51_286_689_398, 627_648_236_225_751, 1_239_849, 391_532],
  [987_654_320, 34_199_203_154_141, 30_987_654_320, 1_038_800_796_845_859, 9_382_717, 2_962_963],
  [5_000_000_000, 153_285_714_285_714, 35_000_000_000, 919_714_285_714_286, 47_500_000, 0],
  [29_629_628, 1_058_707_391_261, 30_029_629_628, 1_071_941_292_608_739, 281_482, 88_889],
];
const SALES: readonly RecordedTrade[] = [
  [10_782_112, 352_854_671_668, 31_357_383_675, 1_026_552_482_413_412, 102_431, 32_347],
  [11_367_253, 172_635_915_379, 46_032_977_099, 699_281_307_021_732, 107_989, 34_102],
  [988_277_119, 16_548_855_232_875, 43_353_222_470, 742_505_358_899_691, 9_388_633, 0],
  [964_735_795, 5_485_602_921_544, 74_759_822_146, 430_578_877_687_358, 9_164_991, 2_894_208],
  [7_175_942, 252_659_319_075, 30_232_965_912, 1_064_731_800_970_755, 68_172, 21_528],
];
const BUYS_OF_EXACT_QUOTE = [
  { gross: 2_000_000_000, net: 1_975_308_641, tokens: 66_285_714_223_523 },
  { gross: 4_000_000_000, net: 3_950_617_283, tokens: 124_858_181_763_706 },
  { gross: 3_000_000_000, net: 2_962_962_962, tokens: 96_449_438_144_093 },
];

/** Returns reserves with these virtual sides; the real ones follow from the standard start. */
function reservesAt(virtualQuote: number, virtualToken: number): Reserves {
  return {
    virtualQuote,
    virtualToken,
    realQuote: virtualQuote - CURVE_START.virtualQuote,
    realToken: virtualToken - (CURVE_START.virtualToken - CURVE_START.realToken),
  };
}

describe('the curve agrees with recorded trades to the lamport', () => {
  test.each(BUYS_OF_EXACT_TOKENS)('buy for %i of %i base units', (quote, tokens, virtualQuote, virtualToken) => {
    const before = reservesAt(virtualQuote - quote, virtualToken + tokens);
    expect(quoteForTokens(before, tokens)).toBe(quote);
    expect(afterCurveTrade(before, 'buy', quote, tokens)).toEqual(reservesAt(virtualQuote, virtualToken));
  });

  test.each(BUYS_OF_EXACT_QUOTE)('buy for $gross lamports with fees', ({ gross, net, tokens }) => {
    expect(netOfFee(gross, CURVE_FEE_BPS)).toBe(net);
    expect(tokensForQuote(CURVE_START, net)).toBe(tokens);
  });

  test.each(SALES)('sale for %i of %i base units', (quote, tokens, virtualQuote, virtualToken) => {
    const before = reservesAt(virtualQuote + quote, virtualToken - tokens);
    expect(quoteForSale(before, tokens)).toBe(quote);
    expect(afterCurveTrade(before, 'sell', quote, tokens)).toEqual(reservesAt(virtualQuote, virtualToken));
  });

  test.each([...BUYS_OF_EXACT_TOKENS, ...SALES])('fees on %i lamports', (...[quote, , , , protocolFee, creatorFee]) => {
    expect(feeOn(quote, CURVE_FEES_BPS.protocol)).toBe(protocolFee);
    // Cashback coins have no creator fee.
    expect([0, feeOn(quote, CURVE_FEES_BPS.creatorOrCashback)]).toContain(creatorFee);
  });
});

describe('the ends of the curve', () => {
  test('starts at a market cap of 27.96 SOL', () => {
    expect((priceOf(CURVE_START) * TOTAL_SUPPLY) / 1e9).toBeCloseTo(27.958993, 6);
  });

  test('is sold out for 85.005359057 SOL and 14.696 times the price', () => {
    const quote = quoteForTokens(CURVE_START, CURVE_START.realToken);
    const after = afterCurveTrade(CURVE_START, 'buy', quote, CURVE_START.realToken);
    expect(quote).toBe(85_005_359_057);
    expect(after.realToken).toBe(0);
    expect(priceOf(after) / priceOf(CURVE_START)).toBeCloseTo(14.696, 3);
  });

  test('migrates to a pool at about the same price', () => {
    const after = afterCurveTrade(CURVE_START, 'buy', 85_005_359_057, CURVE_START.realToken);
    const pool = migratedPool(after, MIGRATION_FEE_LAMPORTS);
    expect(pool.realQuote).toBe(84_990_359_056);
    expect((priceOf(pool) * TOTAL_SUPPLY) / 1e9).toBeCloseTo(410.78, 2);
  });

  test('sells nothing for a payment of one unit', () => {
    expect(tokensForQuote(CURVE_START, 1)).toBe(0);
    expect(tokensForQuote(CURVE_START, 0)).toBe(0);
  });
});

describe('the pool', () => {
  const pool = migratedPool(reservesAt(115_005_359_057, 279_900_000_000_000), MIGRATION_FEE_LAMPORTS);
  const product = (reserves: Reserves): bigint => BigInt(reserves.virtualQuote) * BigInt(reserves.virtualToken);

  test('never loses on a trade there and back', () => {
    const quote = 3_000_000_000;
    const tokens = poolTokensForQuote(pool, quote);
    const bought = afterPoolTrade(pool, 'buy', { quote, tokens, providerFee: 0 });
    const back = quoteForSale(bought, tokens);
    const sold = afterPoolTrade(bought, 'sell', { quote: back, tokens, providerFee: 0 });
    expect(back).toBeLessThanOrEqual(quote);
    expect(product(bought)).toBeGreaterThanOrEqual(product(pool));
    expect(product(sold)).toBeGreaterThanOrEqual(product(bought));
  });

  test('takes the fee of its market cap', () => {
    expect([419, 420, 2_000, 5_000, 1_000_000].map((cap) => totalPoolFee(poolFees(cap)))).toEqual([
      125, 120, 115, 100, 30,
    ]);
  });
});
