import { MINUTE } from '../../../../common/time.ts';
import type { Trade } from '../../../../common/tokens/model.ts';
import type { WalletLabels } from '../use-detail.ts';

/** Least size of shown trades, SOL. */
export const TAPE_SIZES = [0, 0.1, 1] as const;
export type TapeSize = (typeof TAPE_SIZES)[number];

/** Trades that a tape shows. */
export interface TapeFilter {
  size: TapeSize;
  /** `developer`, `insider`: both sides of the wallets with this label. */
  kind: 'all' | 'buy' | 'sell' | 'developer' | 'insider';
  /** Null: of all wallets. */
  wallet: string | null;
}

export const wholeTape: TapeFilter = { size: 0, kind: 'all', wallet: null };

/** Returns the trades that pass a filter. One without a SOL value passes no least size. */
export function filterTrades(
  trades: readonly Trade[],
  { size, kind, wallet }: TapeFilter,
  labels: WalletLabels,
): readonly Trade[] {
  return trades.filter(
    (trade) =>
      (size === 0 || (trade.sol ?? 0) >= size) &&
      passesKind(trade, kind, labels) &&
      (wallet === null || trade.wallet === wallet),
  );
}

function passesKind({ wallet, side }: Trade, kind: TapeFilter['kind'], labels: WalletLabels): boolean {
  if (kind === 'developer' || kind === 'insider') return labels.get(wallet)?.includes(kind) === true;
  return kind === 'all' || side === kind;
}

/** Number and SOL of trades by side. SOL are null when those of a trade are unknown. */
export interface TapeSums {
  buys: number;
  bought: number | null;
  sells: number;
  sold: number | null;
  /** False when older trades of the span may be missing, so that the sums are the least. */
  isWhole: boolean;
}

/** Returns the sums of the last minute. `trades`: newest first. `now`: epoch ms. */
export function lastMinute(trades: readonly Trade[], now: number, mostTrades: number): TapeSums {
  const sums: TapeSums = { buys: 0, bought: 0, sells: 0, sold: 0, isWhole: true };
  let inside = 0;
  for (const { at, side, sol } of trades) {
    if (now - Date.parse(at) > MINUTE) continue;
    inside += 1;
    if (side === 'buy') {
      sums.buys += 1;
      sums.bought = sumOf(sums.bought, sol);
    } else {
      sums.sells += 1;
      sums.sold = sumOf(sums.sold, sol);
    }
  }
  return { ...sums, isWhole: inside < mostTrades };
}

/** Returns a sum, null when a part is unknown. */
function sumOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
