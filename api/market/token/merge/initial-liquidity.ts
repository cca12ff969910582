import type { CreatedObservation, TradeObservation } from '../../sources/observation.ts';
import { type LiveToken, set } from '../state/live-token.ts';
import { isChain } from './precedence.ts';
import { prefer, recordSource, sourceOf } from './preferred-fields.ts';
import { toLamports } from './price.ts';

/** Most trades of one slot that are kept until their coin's creation arrives. */
const TRADES_KEPT = 32;

/** Dollars for 1 SOL; null when unknown. */
type Rate = { solUsd: number | null };

/** Sets the real quote side right after the creation, unless a chain event has set it before. */
export function setInitialLiquidity(live: LiveToken, created: CreatedObservation, { solUsd }: Rate): void {
  const recorded = sourceOf(live, 'initialLiquidityLamports');
  // The developer's purchase in the same transaction counts, also when it came before the creation.
  const own = live.earliestTrades
    .filter(({ chain }) => chain.signature === created.chain.signature)
    .reduce<TradeObservation | CreatedObservation>(
      (last, one) => (one.chain.index > last.chain.index ? one : last),
      created,
    );
  live.earliestTrades = [];
  const lamports = toLamports(created.quote, own.reserves.realQuote, solUsd);
  if (live.record.initialLiquidityLamports !== null && (recorded === undefined || isChain(recorded.source))) return;
  // The source is recorded only where the value replaces a service's.
  if (recorded === undefined) set(live, 'initialLiquidityLamports', lamports);
  else prefer(live, 'initialLiquidityLamports', lamports, created);
}

/**
 * Counts liquidity added within the creation's transaction as initial, however late it arrives. While the creation has not
 * arrived, the trades of the earliest slot are kept, which may be part of it.
 */
export function addInitialLiquidity(live: LiveToken, trade: TradeObservation, { solUsd }: Rate): void {
  const { slot, signature } = trade.chain;
  if (signature === live.creationSignature) {
    set(live, 'initialLiquidityLamports', toLamports(trade.quote, trade.reserves.realQuote, solUsd));
    recordSource(live, 'initialLiquidityLamports', trade);
  }
  if (slot === null || live.record.createdSlot !== null) return;
  const earliest = live.earliestTrades[0]?.chain.slot ?? Number.POSITIVE_INFINITY;
  if (slot < earliest) live.earliestTrades = [trade];
  else if (slot === earliest && live.earliestTrades.length < TRADES_KEPT)
    live.earliestTrades = [...live.earliestTrades, trade];
}
