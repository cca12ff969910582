import { type Connection, type Model, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { WATCHLIST_MAX, type WatchEntry, type WatchlistName, watchlistNames } from '../../common/watchlists/model.ts';
import type { EventSink } from '../events/bus.ts';
import type { DomainEvents } from '../events/events.ts';
import { isDuplicateKey } from '../platform/database.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { tokenModels } from '../tokens/model.ts';
import type { TokenRecord } from '../tokens/record.ts';
import type { TokenMarket } from '../tokens/service.ts';
import { withCurrentVolume } from '../tokens/volume.ts';
import { type ListedToken, type WatchlistsRecord, watchlistsModel } from './model.ts';

/** The whitelist and the blacklist exclude each other; watching is compatible with both. */
const opposite: Partial<Record<WatchlistName, WatchlistName>> = { white: 'black', black: 'white' };

/** Token lists of users. Ids are hexadecimal strings. */
export type Watchlists = ReturnType<typeof createWatchlists>;

export function createWatchlists(deps: {
  connection: Connection;
  bus: EventSink;
  market: Pick<TokenMarket, 'liveRecord'>;
  clock: Clock;
}) {
  const { connection, bus, market, clock } = deps;
  const watchlists = watchlistsModel(connection);
  const { tokens } = tokenModels(connection);
  const exclusive = createKeyedMutex();

  const emit = (userId: string, change: DomainEvents['watchlist-changed']['change']) =>
    bus.emit('watchlist-changed', { userId, change });

  async function stored(userId: string): Promise<WatchlistsRecord> {
    const _id = new Types.ObjectId(userId);
    return withAllLists(_id, await watchlists.findById(_id).lean<WatchlistsRecord>());
  }

  async function isKnown(address: string, lists: WatchlistsRecord): Promise<boolean> {
    // A token on one of the user's lists may move to another after the token itself was removed.
    if (watchlistNames.some((list) => entryOf(lists, list, address))) return true;
    return (await tokens.exists({ _id: address })) !== null;
  }

  async function add(userId: string, list: WatchlistName, address: string): Promise<WatchEntry> {
    if (!(await isKnown(address, await stored(userId)))) throw new PublicError('token-not-found');
    const entry = { address, addedAt: new Date(clock.now()) };
    const before = await addAtomically(watchlists, { userId, list, entry });
    const known = entryOf(before, list, address);
    if (known) return presentEntry(list, known);
    if (before[list].length >= WATCHLIST_MAX) throw new PublicError('limit-reached');
    const from = opposite[list];
    if (from && entryOf(before, from, address)) {
      emit(userId, { subject: 'watchlists', op: 'deleted', item: { list: from, address } });
    }
    const item = presentEntry(list, entry);
    emit(userId, { subject: 'watchlists', op: 'saved', item });
    return item;
  }

  async function remove(userId: string, list: WatchlistName, address: string): Promise<void> {
    const filter = { _id: new Types.ObjectId(userId), [`${list}.address`]: address };
    const { modifiedCount } = await watchlists.updateOne(filter, {
      $pull: { [list]: { address } },
      $inc: { version: 1 },
    });
    if (modifiedCount > 0) emit(userId, { subject: 'watchlists', op: 'deleted', item: { list, address } });
  }

  return {
    /** Returns the addresses on each list. */
    async of(userId: string): Promise<Record<WatchlistName, ReadonlySet<string>>> {
      const lists = await stored(userId);
      const addresses = (list: WatchlistName) => new Set(lists[list].map(({ address }) => address));
      return { watch: addresses('watch'), white: addresses('white'), black: addresses('black') };
    },
    /** Returns all entries, latest added first. */
    entries: async (userId: string): Promise<WatchEntry[]> => presentEntries(await stored(userId)),
    /** Returns the tokens of a list that are still stored, latest added first. */
    async tokens(userId: string, list: WatchlistName): Promise<TokenRecord[]> {
      const addresses = (await stored(userId))[list].map(({ address }) => address).reverse();
      const found = await tokens.find({ _id: { $in: addresses } }).lean<TokenRecord[]>();
      const now = clock.now();
      // The stored record of a token in memory may lack trades that clients have received.
      const current = found.map((record) => market.liveRecord(record._id) ?? record);
      const byAddress = new Map(current.map((record) => [record._id, withCurrentVolume(record, now)]));
      return addresses.flatMap((address) => byAddress.get(address) ?? []);
    },
    /**
     * Adds a token to a list and removes it from the opposite one. Throws `token-not-found` for an unknown address,
     * `limit-reached` when the list is full.
     */
    add: (userId: string, list: WatchlistName, address: string): Promise<WatchEntry> =>
      exclusive(userId, () => add(userId, list, address)),
    /** Does nothing when the token is not on the list. */
    remove: (userId: string, list: WatchlistName, address: string): Promise<void> =>
      exclusive(userId, () => remove(userId, list, address)),
  };
}

/**
 * Adds the entry unless its address is on the list or the list is full, and returns the lists before the change, from which
 * the outcome follows. One atomic update, so that concurrent ones cannot break the limit.
 */
async function addAtomically(
  watchlists: Model<WatchlistsRecord>,
  { userId, list, entry }: { userId: string; list: WatchlistName; entry: { address: string; addedAt: Date } },
): Promise<WatchlistsRecord> {
  const present = { $ifNull: [`$${list}`, []] };
  const isOn = { $in: [entry.address, { $ifNull: [`$${list}.address`, []] }] };
  const isFull = { $gte: [{ $size: present }, WATCHLIST_MAX] };
  const isUnchanged = { $or: [isOn, isFull] };
  const from = opposite[list];
  const others = from && {
    $filter: { input: { $ifNull: [`$${from}`, []] }, cond: { $ne: ['$$this.address', entry.address] } },
  };
  const version = { $ifNull: ['$version', 0] };
  const change = {
    version: { $cond: [isUnchanged, version, { $add: [version, 1] }] },
    [list]: { $cond: [isUnchanged, present, { $concatArrays: [present, [entry]] }] },
    ...(from ? { [from]: { $cond: [isUnchanged, { $ifNull: [`$${from}`, []] }, others] } } : {}),
  };
  const _id = new Types.ObjectId(userId);
  const update = () =>
    watchlists
      .findOneAndUpdate({ _id }, [{ $set: change }], { upsert: true, updatePipeline: true, returnDocument: 'before' })
      .lean<WatchlistsRecord>();
  try {
    return withAllLists(_id, await update());
  } catch (error) {
    // Two first entries were added at once; the document exists now.
    if (!isDuplicateKey(error)) throw error;
    return withAllLists(_id, await update());
  }
}

function withAllLists(_id: Types.ObjectId, found: Partial<WatchlistsRecord> | null): WatchlistsRecord {
  return { _id, watch: found?.watch ?? [], white: found?.white ?? [], black: found?.black ?? [] };
}

function entryOf(lists: WatchlistsRecord, list: WatchlistName, address: string) {
  return lists[list].find((entry) => entry.address === address);
}

function presentEntry(list: WatchlistName, { address, addedAt }: ListedToken): WatchEntry {
  return { list, address, addedAt: addedAt.toISOString() };
}

/** Presents all entries, latest added first, also among those of the same millisecond. */
function presentEntries(record: WatchlistsRecord): WatchEntry[] {
  return watchlistNames
    .flatMap((list) => record[list].toReversed().map((entry) => presentEntry(list, entry)))
    .sort((a, b) => (a.addedAt === b.addedAt ? 0 : a.addedAt < b.addedAt ? 1 : -1));
}
