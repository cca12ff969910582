import type { Model } from 'mongoose';
import { type Clock, DAY } from '../../../common/time.ts';
import type { TokenRecord, TradeRecord } from '../record.ts';

/** Trades of a coin that are summed up, at most: with more, the figures of its holders are unknown. */
const TRADES_MAX = 50_000;

/** Sums of a wallet's trades since the creation. */
export interface WalletSums {
  /** Lamports paid and received; null when a trade has no SOL value. */
  paid: number | null;
  received: number | null;
  /** Base units. */
  bought: number;
  sold: number;
  /** Time of the first purchase, epoch ms; null without one. */
  firstBuyAt: number | null;
}

interface GroupedSums extends Omit<WalletSums, 'paid' | 'received' | 'firstBuyAt'> {
  _id: string;
  paid: number;
  received: number;
  /** Trades without a SOL value. */
  unvalued: number;
  firstBuyAt: Date | null;
}

export interface HolderFigureDeps {
  trades: Model<TradeRecord>;
  /** Returns the trades of a token that may not be in MongoDB yet, oldest first. */
  unstored(address: string): { trades: readonly TradeRecord[] };
  clock: Clock;
  /** Default: `TRADES_MAX`. */
  tradesMax?: number;
}

/** Creates the query of what the largest wallets of a token bought and sold. */
export function createHolderFigures({ trades, unstored, clock, tradesMax = TRADES_MAX }: HolderFigureDeps) {
  /**
   * Resolves with the sums of each of the token's `topHolders` that traded; null when a trade since the creation was missed or has
   * expired, when the coin trades in a pool that is not followed, or when there are too many.
   */
  return async function holderFigures(record: TokenRecord): Promise<ReadonlyMap<string, WalletSums> | null> {
    const { _id: address, topHolders, buys, sells } = record;
    if (record.stage === 'pool' && record.reservesVenue !== 'pool') return null;
    if (!record.complete || record.listedAt < clock.now() - DAY || buys + sells > tradesMax) return null;
    // Read first: a write that ends meanwhile would show in neither.
    const pending = unstored(address).trades;
    const stored = pending.length === 0 ? { address } : { address, _id: { $nin: pending.map(({ _id }) => _id) } };
    const wallets = topHolders.map(({ wallet }) => wallet);
    // Index { address: 1, at: -1 }.
    const grouped = await trades
      .aggregate<GroupedSums>([{ $match: { ...stored, wallet: { $in: wallets } } }, { $group: sums }])
      .exec();
    const figures = new Map(grouped.map((sum) => [sum._id, sumsOf(sum)]));
    const isHolder = new Set(wallets);
    for (const trade of pending) {
      if (isHolder.has(trade.wallet)) figures.set(trade.wallet, withTrade(figures.get(trade.wallet) ?? noSums, trade));
    }
    return figures;
  };
}

const noSums: WalletSums = { paid: 0, received: 0, bought: 0, sold: 0, firstBuyAt: null };

const isBuy = { $eq: ['$side', 'buy'] };
const sums = {
  _id: '$wallet',
  paid: { $sum: { $cond: [isBuy, '$lamports', 0] } },
  received: { $sum: { $cond: [isBuy, 0, '$lamports'] } },
  bought: { $sum: { $cond: [isBuy, '$amount', 0] } },
  sold: { $sum: { $cond: [isBuy, 0, '$amount'] } },
  unvalued: { $sum: { $cond: [{ $eq: ['$lamports', null] }, 1, 0] } },
  firstBuyAt: { $min: { $cond: [isBuy, '$at', null] } },
};

function sumsOf({ paid, received, bought, sold, unvalued, firstBuyAt }: GroupedSums): WalletSums {
  const isValued = unvalued === 0;
  return {
    paid: isValued ? paid : null,
    received: isValued ? received : null,
    bought,
    sold,
    firstBuyAt: firstBuyAt?.getTime() ?? null,
  };
}

function withTrade(before: WalletSums, { side, lamports, amount, at }: TradeRecord): WalletSums {
  const isBuy = side === 'buy';
  const sum = (one: number | null, adds: boolean) =>
    one === null || lamports === null ? null : one + (adds ? lamports : 0);
  return {
    paid: sum(before.paid, isBuy),
    received: sum(before.received, !isBuy),
    bought: before.bought + (isBuy ? amount : 0),
    sold: before.sold + (isBuy ? 0 : amount),
    firstBuyAt: isBuy ? Math.min(before.firstBuyAt ?? at.getTime(), at.getTime()) : before.firstBuyAt,
  };
}
