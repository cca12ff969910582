import { quoteForSale } from '../../../../common/tokens/curve-trades.ts';
import { feeIn, SIGNATURE_FEE_LAMPORTS, type TradedMarket } from '../../../../common/trading/fills.ts';
import type { PositionValue } from '../../../../common/trading/position.ts';
import { type Reason, type ReasonCode, reason } from '../../../../common/trading/reasons.ts';
import type { TradedCoin } from '../../../market/traded/traded-coin.ts';
import { withOwnLot } from '../../paper/paper-fill.ts';
import { type MarketFacts, tradedMarket } from '../../traded-market.ts';
import type { HeldLot } from '../fill-book.ts';
import type { HeldFigures, PositionRecord } from '../record.ts';

/** What decides the value of a position. */
export type ValuedPosition = Pick<PositionRecord, 'mode' | 'tokens' | 'costLamports' | 'figures'>;

type PricedCoin = MarketFacts & Pick<TradedCoin, 'isLive'>;

/**
 * Returns what a sale of all of a position returns after the launchpad's and the network's fee, on the present reserves.
 * `coin`: null for a token that is not in memory. `lot`: all that the wallet holds of the token; on paper its purchases are
 * in no reserves. `now`: epoch ms.
 */
export function positionValue(
  { mode, tokens, costLamports, figures }: ValuedPosition,
  coin: TradedCoin | null,
  lot: HeldLot,
  now: number,
): PositionValue {
  const price = coin?.isLive ? coin.price : null;
  const at = new Date(now).toISOString();
  const own = mode === 'paper' ? lot : null;
  const removed = coin === null && figures !== null ? removedReason(BigInt(tokens), figures, own) : null;
  const result = removed ?? saleOf(BigInt(tokens), coin, own);
  if (typeof result !== 'number') {
    const unknown = typeof result === 'string' ? reason(result) : result;
    return { lamports: null, unknown, profitLamports: null, price, at };
  }
  return { lamports: result, unknown: null, profitLamports: result - costLamports, price, at };
}

/** Returns why the value of a removed token is unknown, with the last one and its time where they are known. */
function removedReason(tokens: bigint, figures: HeldFigures, own: HeldLot | null): Reason {
  const last = saleOf(tokens, { ...figures, isLive: true }, own);
  if (typeof last === 'string' || figures.at === null) return reason('removed');
  return reason('removed', { lastLamports: last, lastAt: figures.at });
}

/** Returns the lamports that a sale brings, at least 0, or why that is unknown. */
function saleOf(tokens: bigint, coin: PricedCoin | null, own: HeldLot | null): number | ReasonCode {
  const market = tradedMarket(coin);
  if (!market.ok) return market.reason.code;
  if (!coin?.isLive) return 'stale';
  return saleValue(tokens, own === null ? market.value : withOwnLot(market.value, own)) ?? 'no-depth';
}

function saleValue(tokens: bigint, market: TradedMarket): number | null {
  const { reserves } = market;
  if (tokens > BigInt(Number.MAX_SAFE_INTEGER) || reserves.virtualToken <= 0) return null;
  const quote = quoteForSale(reserves, Number(tokens));
  return quote > reserves.realQuote ? null : Math.max(0, quote - feeIn(market, quote) - SIGNATURE_FEE_LAMPORTS);
}
