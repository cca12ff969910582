import { type Connection, Types } from 'mongoose';
import { tokenModels } from '../../tokens/model.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { type ListedToken, type WatchlistsRecord, watchlistsModel } from '../../watchlists/model.ts';

/** Lists read at once, of up to 1,000 entries each. */
const LISTS_AT_ONCE = 20;

/** What a watched token's price alert counts from, as the entry of the list keeps it. */
export interface WatchReference {
  userId: string;
  address: string;
  /** SOL; null while no price was known since. */
  price: number | null;
  /** Epoch ms. */
  since: number;
}

/** Since an entry keeps its own price, it comes and goes with the entry. User ids are hexadecimal. */
export interface WatchReferences {
  /** Of everybody, without those that were alerted of already. */
  all(): AsyncIterable<WatchReference>;
  /**
   * Takes the stored price of now as what alerts count from: of one entry that has none, or of all that a user watches,
   * whatever they counted from. Gives those there are; null as price: the first one that is told.
   */
  take(userId: string, which: { address: string } | 'all', now: number): Promise<WatchReference[]>;
  /** These users' entries had no price and have this one. */
  settle(address: string, price: number, now: number, userIds: readonly string[]): Promise<void>;
  /** These users were alerted of the price: their entries are done with. */
  alerted(address: string, now: number, userIds: readonly string[]): Promise<void>;
}

export function createWatchReferences(connection: Connection): WatchReferences {
  const watchlists = watchlistsModel(connection);
  const { tokens } = tokenModels(connection);

  async function pricesOf(addresses: readonly string[]): Promise<Map<string, number>> {
    const found = await tokens
      .find({ _id: { $in: [...addresses] } }, { price: 1 })
      .lean<Pick<TokenRecord, '_id' | 'price'>[]>();
    return new Map(found.flatMap(({ _id, price }) => (price === null ? [] : [[_id, price] as const])));
  }

  async function watchedBy(_id: Types.ObjectId): Promise<ListedToken[]> {
    const lists = await watchlists.findById(_id, { watch: 1 }).lean<Pick<WatchlistsRecord, 'watch'>>();
    return (lists?.watch ?? []).filter(({ alertedAt }) => alertedAt === undefined);
  }

  return {
    async *all() {
      // Everybody's lists, once at the start: no index reads less.
      const cursor = watchlists
        .find({ 'watch.0': { $exists: true } }, { watch: 1 })
        .lean<WatchlistsRecord[]>()
        .cursor({ batchSize: LISTS_AT_ONCE });
      for await (const { _id, watch } of cursor) {
        for (const entry of watch) if (!entry.alertedAt) yield reference(_id, entry);
      }
    },

    async take(userId, which, now) {
      const _id = new Types.ObjectId(userId);
      if (which === 'all')
        await watchlists.updateOne(
          { _id, 'watch.0': { $exists: true } },
          { $unset: { 'watch.$[].price': 1, 'watch.$[].priceAt': 1 } },
        );
      const entries = (await watchedBy(_id)).filter((entry) => which === 'all' || entry.address === which.address);
      const prices = await pricesOf(entries.map(({ address }) => address));
      const open = entries.filter((entry) => entry.price === undefined && prices.has(entry.address));
      await watchlists.bulkWrite(
        open.map(({ address }) => ({
          updateOne: {
            filter: { _id, watch: { $elemMatch: { address, price: { $exists: false } } } },
            update: { $set: { 'watch.$.price': prices.get(address), 'watch.$.priceAt': new Date(now) } },
          },
        })),
      );
      return (await watchedBy(_id))
        .filter(({ address }) => which === 'all' || address === which.address)
        .map((entry) => reference(_id, entry));
    },

    async settle(address, price, now, userIds) {
      const filter = {
        _id: { $in: objectIds(userIds) },
        watch: { $elemMatch: { address, price: { $exists: false } } },
      };
      await watchlists.updateMany(filter, { $set: { 'watch.$.price': price, 'watch.$.priceAt': new Date(now) } });
    },

    async alerted(address, now, userIds) {
      const filter = { _id: { $in: objectIds(userIds) }, 'watch.address': address };
      await watchlists.updateMany(filter, { $set: { 'watch.$.alertedAt': new Date(now) } });
    },
  };
}

function reference(userId: Types.ObjectId, { address, addedAt, price, priceAt }: ListedToken): WatchReference {
  return { userId: userId.toHexString(), address, price: price ?? null, since: (priceAt ?? addedAt).getTime() };
}

function objectIds(userIds: readonly string[]): Types.ObjectId[] {
  return userIds.map((id) => new Types.ObjectId(id));
}
