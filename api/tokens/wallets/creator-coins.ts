import type { Model } from 'mongoose';
import { type Clock, DAY } from '../../../common/time.ts';
import { CREATOR_DAYS } from '../../../common/tokens/wallets/creator.ts';
import type { TokenRecord } from '../record.ts';

/** Coins of a creator that are counted, at most: the newest ones. */
const COINS_MAX = 200;

/** The fields of a stored token that a creator's record needs, as a projection. */
const fields = {
  name: 1,
  symbol: 1,
  listedAt: 1,
  stage: 1,
  price: 1,
  peakPrice: 1,
  totalSupply: 1,
  decimals: 1,
  drained: 1,
  rugged: 1,
  lastTradeAt: 1,
  'facts.drained': 1,
  'facts.rugged': 1,
} as const;

type FlatField = Exclude<keyof typeof fields, 'facts.drained' | 'facts.rugged'>;

/** A coin as a creator's record reads it. */
export type CreatorCoinRecord = Pick<TokenRecord, '_id' | FlatField> & {
  facts?: Partial<Pick<TokenRecord['facts'], 'drained' | 'rugged'>>;
};

export interface CreatorCoins {
  wallet: string | null;
  /** Newest first. */
  coins: CreatorCoinRecord[];
  hasMore: boolean;
}

export interface CreatorCoinDeps {
  tokens: Model<TokenRecord>;
  /** Returns the record of a token in memory, which is newer than the stored one. */
  liveRecord(address: string): TokenRecord | undefined;
  clock: Clock;
}

/** Creates the query of the other coins that the creator of a token launched in the last 30 days. */
export function createCreatorCoins({ tokens, liveRecord, clock }: CreatorCoinDeps) {
  /**
   * Resolves with the coins that the same wallet signed. A coin that only names the wallet counts while its signer is unknown:
   * anybody can name a creator.
   */
  return async function creatorCoins(record: TokenRecord): Promise<CreatorCoins> {
    const wallet = record.creationUser ?? record.creator;
    if (wallet === null) return { wallet, coins: [], hasMore: false };
    const recent = { listedAt: { $gte: clock.now() - CREATOR_DAYS * DAY } };
    // Indexes { creationUser: 1, listedAt: -1 } and { creator: 1, listedAt: -1 }.
    const found = await tokens
      .find(
        {
          $or: [
            { creationUser: wallet, ...recent },
            { creator: wallet, creationUser: null, ...recent },
          ],
        },
        fields,
      )
      .sort({ listedAt: -1 })
      .limit(COINS_MAX + 2)
      .lean<CreatorCoinRecord[]>()
      .exec();
    const others = found.filter(({ _id }) => _id !== record._id);
    const coins = others.slice(0, COINS_MAX).map((coin) => liveRecord(coin._id) ?? coin);
    return { wallet, coins, hasMore: others.length > COINS_MAX };
  };
}
