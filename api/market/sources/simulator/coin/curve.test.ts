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

/** Mainnet trades of July 2026: amounts, virtual reserves afterwards, protocol and creator fee. */
const BUYS_OF_EXACT_TOKENS = [
  {
    quote: 1_981_246,
    tokens: 8_804_378_857,
    virtualQuote: 85_110_922_761,
    virtualToken: 378_212_341_237_783,
    fees: [18_822, 5_944],
  },
  {
    quote: 100_000_001,
    tokens: 1_232_464_931_507,
    virtualQuote: 51_156_179_005,
    virtualToken: 629_249_501_591_576,
    fees: [950_001, 300_001],
  },
  {
    quote: 130_510_393,
    tokens: 1_601_265_365_825,
    virtualQuote: 51_286_689_398,
    virtualToken: 627_648_236_225_751,
    fees: [1_239_849, 391_532],
  },
  {
    quote: 987_654_320,
    tokens: 34_199_203_154_141,
    virtualQuote: 30_987_654_320,
    virtualToken: 1_038_800_796_845_859,
    fees: [9_382_717, 2_962_963],
  },
  {
    quote: 5_000_000_000,
    tokens: 153_285_714_285_714,
    virtualQuote: 35_000_000_000,
    virtualToken: 919_714_285_714_286,
    fees: [47_500_000, 0],
  },
  {
    quote: 29_629_628,
    tokens: 1_058_707_391_261,
    virtualQuote: 30_029_629_628,
    virtualToken: 1_071_941_292_608_739,
    fees: [281_482, 88_889],
  },
];
const BUYS_OF_EXACT_QUOTE = [
  { gross: 2_000_000_000, net: 1_975_308_641, tokens: 66_285_714_223_523, before: CURVE_START },
  { gross: 4_000_000_000, net: 3_950_617_283, tokens: 124_858_181_763_706, before: CURVE_START },
  { gross: 3_000_000_000, net: 2_962_962_962, tokens: 96_449_438_144_093, before: CURVE_START },
];
const SALES = [
  {
    quote: 10_782_112,
    tokens: 352_854_671_668,
    virtualQuote: 31_357_383_675,
    virtualToken: 1_026_552_482_413_412,
    fees: [102_431, 32_347],
  },
  {
    quote: 11_367_253,
    tokens: 172_635_915_379,
    virtualQuote: 46_032_977_099,
    virtualToken: 699_281_307_021_732,
    fees: [107_989, 34_102],
  },
  {
    quote: 988_277_119,
    tokens: 16_548_855_232_875,
    virtualQuote: 43_353_222_470,
    virtualToken: 742_505_358_899_691,
    fees: [9_388_633, 0],
  },
  {
    quote: 964_735_795,
    tokens: 5_485_602_921_544,
    virtualQuote: 74_759_822_146,
    virtualToken: 430_578_877_687_358,
    fees: [9_164_991, 2_894_208],
  },
  {
    quote: 7_175_942,
    tokens: 252_659_319_075,
    virtualQuote: 30_232_965_912,
    virtualToken: 1_064_731_800_970_755,
    fees: [68_172, 21_528],
  },
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
  test.each(BUYS_OF_EXACT_TOKENS)('buy of $tokens base units for $quote', (trade) => {
    const before = reservesAt(trade.virtualQuote - trade.quote, trade.virtualToken + trade.tokens);
    expect(quoteForTokens(before, trade.tokens)).toBe(trade.quote);
    expect(afterCurveTrade(before, 'buy', trade.quote, trade.tokens)).toEqual(
      reservesAt(trade.virtualQuote, trade.virtualToken),
    );
  });

  test.each(BUYS_OF_EXACT_QUOTE)('buy for $gross lamports with fees', ({ gross, net, tokens, before }) => {
    expect(netOfFee(gross, CURVE_FEE_BPS)).toBe(net);
    expect(tokensForQuote(before, net)).toBe(tokens);
  });

  test.each(SALES)('sale of $tokens base units for $quote', (trade) => {
    const before = reservesAt(trade.virtualQuote + trade.quote, trade.virtualToken - trade.tokens);
    expect(quoteForSale(before, trade.tokens)).toBe(trade.quote);
    expect(afterCurveTrade(before, 'sell', trade.quote, trade.tokens)).toEqual(
      reservesAt(trade.virtualQuote, trade.virtualToken),
    );
  });

  test.each([...BUYS_OF_EXACT_TOKENS, ...SALES])('fees on $quote lamports', ({ quote, fees }) => {
    expect(feeOn(quote, CURVE_FEES_BPS.protocol)).toBe(fees[0]);
    // Cashback coins have no creator fee.
    expect([0, feeOn(quote, CURVE_FEES_BPS.creatorOrCashback)]).toContain(fees[1]);
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
