import { type Connection, Types } from 'mongoose';
import { tokenModels } from '../../tokens/model.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { TokenMarket } from '../../tokens/service.ts';
import { type ListedToken, type WatchlistsRecord, watchlistsModel } from '../../watchlists/model.ts';

/** Watchlists of one batch, with up to 1,000 entries each. */
const BATCH = 20;

/** The price that the alert of a watched token is measured from. */
export interface WatchBaseline {
  userId: string;
  address: string;
  /** SOL; null while no price has been known since. */
  price: number | null;
  /** Epoch ms. */
  since: number;
}

export type WatchBaselines = ReturnType<typeof createWatchBaselines>;

/** Baselines stored in the entries of the watchlists, so that they are removed together. User ids are hexadecimal. */
export function createWatchBaselines(connection: Connection, market: Pick<TokenMarket, 'liveRecord'>) {
  const watchlists = watchlistsModel(connection);
  const { tokens } = tokenModels(connection);

  async function pricesOf(addresses: readonly string[]): Promise<Map<string, number>> {
    const found = await tokens
      .find({ _id: { $in: [...addresses] } }, { price: 1 })
      .lean<Pick<TokenRecord, '_id' | 'price'>[]>();
    // The stored price of a token in memory may be older than the one that clients have received.
    const current = found.map((record) => market.liveRecord(record._id) ?? record);
    return new Map(current.flatMap(({ _id, price }) => (price === null ? [] : [[_id, price] as const])));
  }

  async function entriesOf(_id: Types.ObjectId, which: { address: string } | 'all'): Promise<ListedToken[]> {
    const lists = await watchlists.findById(_id, { watch: 1 }).lean<Pick<WatchlistsRecord, 'watch'>>();
    return (lists?.watch ?? []).filter(
      ({ address, alertedAt }) => alertedAt === undefined && (which === 'all' || address === which.address),
    );
  }

  return {
    /** Returns the baselines of all users, except those already alerted. */
    async *all(): AsyncIterable<WatchBaseline> {
      // Reads every watchlist, once at the start.
      const cursor = watchlists
        .find({ 'watch.0': { $exists: true } }, { watch: 1 })
        .lean<WatchlistsRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const { _id, watch } of cursor) {
        for (const entry of watch) if (!entry.alertedAt) yield baselineOf(_id, entry);
      }
    },

    /** Removes the stored prices of all entries of the user. */
    async resetPrices(userId: string): Promise<void> {
      await watchlists.updateOne(
        { _id: new Types.ObjectId(userId), 'watch.0': { $exists: true } },
        { $unset: { 'watch.$[].price': 1, 'watch.$[].priceAt': 1 } },
      );
    },

    /**
     * Stores the present price as the baseline of one entry, or of all entries of the user, where it has none. Resolves
     * with the resulting baselines; their price is null while the token has none.
     */
    async setPresentPrices(userId: string, which: { address: string } | 'all', now: number): Promise<WatchBaseline[]> {
      const _id = new Types.ObjectId(userId);
      const entries = await entriesOf(_id, which);
      const prices = await pricesOf(entries.map(({ address }) => address));
      const unpriced = entries.filter((entry) => entry.price === undefined && prices.has(entry.address));
      await watchlists.bulkWrite(
        unpriced.map(({ address }) => ({
          updateOne: {
            filter: { _id, watch: { $elemMatch: { address, price: { $exists: false } } } },
            update: { $set: { 'watch.$.price': prices.get(address), 'watch.$.priceAt': new Date(now) } },
          },
        })),
      );
      return (await entriesOf(_id, which)).map((entry) => baselineOf(_id, entry));
    },

    /** Stores the first known price for the entries of these users. */
    async setFirstPrice(address: string, price: number, now: number, userIds: readonly string[]): Promise<void> {
      const filter = {
        _id: { $in: objectIds(userIds) },
        watch: { $elemMatch: { address, price: { $exists: false } } },
      };
      await watchlists.updateMany(filter, { $set: { 'watch.$.price': price, 'watch.$.priceAt': new Date(now) } });
    },

    /** Marks the entries of these users as alerted. */
    async markAlerted(address: string, now: number, userIds: readonly string[]): Promise<void> {
      const filter = { _id: { $in: objectIds(userIds) }, 'watch.address': address };
      await watchlists.updateMany(filter, { $set: { 'watch.$.alertedAt': new Date(now) } });
    },
  };
}

function baselineOf(userId: Types.ObjectId, { address, addedAt, price, priceAt }: ListedToken): WatchBaseline {
  return { userId: userId.toHexString(), address, price: price ?? null, since: (priceAt ?? addedAt).getTime() };
}

function objectIds(userIds: readonly string[]): Types.ObjectId[] {
  return userIds.map((id) => new Types.ObjectId(id));
}
