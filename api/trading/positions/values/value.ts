import {
  CURVE_FEES_BPS,
  curveFeeOn,
  quoteForSale,
  type TradedReserves,
} from '../../../../common/tokens/curve-trades.ts';
import { SIGNATURE_FEE_LAMPORTS } from '../../../../common/trading/fills.ts';
import type { PositionValue } from '../../../../common/trading/position.ts';
import { type ReasonCode, reason } from '../../../../common/trading/reasons.ts';
import { isChained } from '../../../market/sources/reserve-chain.ts';
import type { TradedCoin } from '../../../market/traded/traded-coin.ts';
import { withOwnLot } from '../../paper/paper-fill.ts';
import type { HeldLot } from '../fill-book.ts';
import type { PositionRecord } from '../record.ts';

/** What decides the value of a position. */
export type ValuedPosition = Pick<PositionRecord, 'mode' | 'tokens' | 'costLamports'>;

/**
 * Returns what a sale of all of a position returns after the launchpad's and the network's fee, on the present reserves.
 * `coin`: null for a token that is not in memory. `lot`: all that the wallet holds of the token; on paper its purchases are
 * in no reserves. `now`: epoch ms.
 */
export function positionValue(
  { mode, tokens, costLamports }: ValuedPosition,
  coin: TradedCoin | null,
  lot: HeldLot,
  now: number,
): PositionValue {
  const price = coin?.isLive ? coin.price : null;
  const at = new Date(now).toISOString();
  const result = saleOf(BigInt(tokens), coin, mode === 'paper' ? lot : null);
  if (typeof result === 'string') {
    return { lamports: null, unknown: reason(result), profitLamports: null, price, at };
  }
  return { lamports: result, unknown: null, profitLamports: result - costLamports, price, at };
}

/** Returns the lamports that a sale brings, at least 0, or why that is unknown. */
function saleOf(tokens: bigint, coin: TradedCoin | null, own: HeldLot | null): number | ReasonCode {
  if (coin === null) return 'no-depth';
  if (coin.quote !== 'SOL') return 'not-sol';
  if (coin.stage === 'complete') return 'between-venues';
  if (coin.stage === 'pool') return 'in-pool';
  if (coin.reserves === null || !isChained(coin.launchpad)) return 'no-depth';
  if (!coin.isLive) return 'stale';
  return curveSaleOf(tokens, own === null ? coin.reserves : withOwnLot(coin.reserves, own)) ?? 'no-depth';
}

function curveSaleOf(tokens: bigint, reserves: TradedReserves): number | null {
  if (tokens > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const quote = quoteForSale(reserves, Number(tokens));
  if (quote > reserves.realQuote || reserves.virtualToken <= 0) return null;
  return Math.max(0, quote - curveFeeOn(quote, CURVE_FEES_BPS) - SIGNATURE_FEE_LAMPORTS);
}
