import { MINUTE } from '../../../../common/time.ts';
import type { Holder, TokenDetail, Trade } from '../../../../common/tokens/model.ts';

/** Least size of shown trades, SOL. */
export const TAPE_SIZES = [0, 0.1, 1] as const;
export type TapeSize = (typeof TAPE_SIZES)[number];

/** Trades that a tape shows. */
export interface TapeFilter {
  size: TapeSize;
  /** `developer`: both sides of the developer's wallets. */
  kind: 'all' | 'buy' | 'sell' | 'developer';
  /** Null: of all wallets. */
  wallet: string | null;
}

export const wholeTape: TapeFilter = { size: 0, kind: 'all', wallet: null };

export type WalletLabel = 'Developer' | 'Top 10' | 'First 20';
/** Buyers that are the first ones of a coin. */
const FIRST_BUYERS = 20;
const TOP_HOLDERS = 10;

/** Returns the wallets of the developer that are known. */
export function developerWallets({
  creatorAddress,
  creationSigner,
}: Pick<TokenDetail, 'creatorAddress' | 'creationSigner'>): ReadonlySet<string> {
  return new Set([creatorAddress, creationSigner].filter((wallet) => wallet !== null));
}

/** Returns the trades that pass a filter. One without a SOL value passes no least size. */
export function filterTrades(
  trades: readonly Trade[],
  { size, kind, wallet }: TapeFilter,
  developer: ReadonlySet<string>,
): readonly Trade[] {
  return trades.filter(
    (trade) =>
      (size === 0 || (trade.sol ?? 0) >= size) &&
      (kind === 'all' || (kind === 'developer' ? developer.has(trade.wallet) : trade.side === kind)) &&
      (wallet === null || trade.wallet === wallet),
  );
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

/** Returns the labels of wallets. `trades`: newest first; the first buyers are known while these are all trades of the coin. */
export function walletLabels(
  token: Pick<TokenDetail, 'creatorAddress' | 'creationSigner' | 'buys' | 'sells'>,
  trades: readonly Trade[],
  holders: readonly Holder[],
): ReadonlyMap<string, WalletLabel> {
  const labels = new Map<string, WalletLabel>();
  const { buys, sells } = token;
  if (buys !== null && sells !== null && trades.length >= buys + sells) {
    for (const { wallet, side } of trades.toReversed()) {
      if (labels.size === FIRST_BUYERS) break;
      if (side === 'buy') labels.set(wallet, 'First 20');
    }
  }
  for (const { wallet } of holders.slice(0, TOP_HOLDERS)) labels.set(wallet, 'Top 10');
  for (const wallet of developerWallets(token)) labels.set(wallet, 'Developer');
  return labels;
}
