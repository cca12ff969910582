import type { Token } from '../../common/tokens/model.ts';
import type { TradingMode } from '../../common/trading/account.ts';
import type { ReasonCode } from '../../common/trading/reasons.ts';
import { tradeRefusal } from '../../common/trading/venue.ts';

/** The fields of a token that show whether it can be bought at all. */
export type BuyableFields = Pick<Token, 'metadata' | 'stage'>;

/** Reasons of a quote that hold for any amount: the coin itself cannot be bought. */
export const unbuyable: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'not-sol',
  'between-venues',
  'in-pool',
  'not-listable',
  'too-many-listed',
  'removed',
]);

/** Returns why a coin can't be bought in this mode when its own fields show it; null otherwise. */
export function unbuyableReason({ metadata, stage }: BuyableFields, mode: TradingMode): ReasonCode | null {
  // Whether the server trades in pools is known by its quotes alone.
  const refusal = tradeRefusal({ quote: metadata.quote, stage }, true);
  if (refusal !== null) return refusal;
  // Only orders on its curve put a simulated coin on the local chain.
  const isLeft = metadata.detectedBy === 'simulator' && metadata.cluster === null && stage === 'pool';
  return mode === 'local' && isLeft ? 'not-listable' : null;
}
