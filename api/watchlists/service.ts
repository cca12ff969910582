import { type Connection, type Model, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { WATCHLIST_MAX, type WatchEntry, type WatchlistName, watchlistNames } from '../../common/watchlists/model.ts';
import { isDuplicateKey } from '../platform/database.ts';
import { createTurns } from '../platform/keyed-mutex.ts';
import { tokenModels } from '../tokens/model.ts';
import type { TokenRecord } from '../tokens/record.ts';
import type { TellUser } from '../users/user-events.ts';
import { type WatchlistsRecord, watchlistsModel } from './model.ts';
import { presentEntries, presentEntry } from './present.ts';

/** Being safe enough and not to be seen exclude each other; watching goes with both. */
const opposite: Partial<Record<WatchlistName, WatchlistName>> = { white: 'black', black: 'white' };

/** A user's lists of tokens. Ids are hexadecimal strings. */
export interface Watchlists {
  /** The addresses on each list. */
  of(userId: string): Promise<Record<WatchlistName, ReadonlySet<string>>>;
  /** All entries, latest added first. */
  entries(userId: string): Promise<WatchEntry[]>;
  /** The tokens of a list that are still kept, latest added first. */
  tokens(userId: string, list: WatchlistName): Promise<TokenRecord[]>;
  /**
   * Puts a token on a list, and takes it off the opposite one. Throws `token-not-found` for an address that nobody knows,
   * `limit-reached` when the list is full.
   */
  add(userId: string, list: WatchlistName, address: string): Promise<WatchEntry>;
  remove(userId: string, list: WatchlistName, address: string): Promise<void>;
}

export function createWatchlists(deps: { connection: Connection; tell: TellUser; clock: Clock }): Watchlists {
  const { connection, tell, clock } = deps;
  const watchlists = watchlistsModel(connection);
  const { tokens } = tokenModels(connection);
  const inTurn = createTurns();

  async function stored(userId: string): Promise<WatchlistsRecord> {
    const _id = new Types.ObjectId(userId);
    return withAllLists(_id, await watchlists.findById(_id).lean<WatchlistsRecord>());
  }

  async function isKnown(address: string, lists: WatchlistsRecord): Promise<boolean> {
    // What is on one of the user's lists was known once, and may be put on another after the token itself is gone.
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
      tell.data(userId, { subject: 'watchlists', op: 'deleted', item: { list: from, address } });
    }
    const item = presentEntry(list, entry);
    tell.data(userId, { subject: 'watchlists', op: 'saved', item });
    return item;
  }

  async function remove(userId: string, list: WatchlistName, address: string): Promise<void> {
    const filter = { _id: new Types.ObjectId(userId), [`${list}.address`]: address };
    const { modifiedCount } = await watchlists.updateOne(filter, { $pull: { [list]: { address } } });
    if (modifiedCount > 0) tell.data(userId, { subject: 'watchlists', op: 'deleted', item: { list, address } });
  }

  return {
    async of(userId) {
      const lists = await stored(userId);
      const addresses = (list: WatchlistName) => new Set(lists[list].map(({ address }) => address));
      return { watch: addresses('watch'), white: addresses('white'), black: addresses('black') };
    },
    entries: async (userId) => presentEntries(await stored(userId)),
    async tokens(userId, list) {
      const addresses = (await stored(userId))[list].map(({ address }) => address).reverse();
      const found = await tokens.find({ _id: { $in: addresses } }).lean<TokenRecord[]>();
      const byAddress = new Map(found.map((record) => [record._id, record]));
      return addresses.flatMap((address) => byAddress.get(address) ?? []);
    },
    add: (userId, list, address) => inTurn(userId, () => add(userId, list, address)),
    remove: (userId, list, address) => inTurn(userId, () => remove(userId, list, address)),
  };
}

/**
 * Adds the entry unless its address is on the list or the list is full, and gives the lists as they were before: what was
 * done follows from them. One update, so that it holds beside any number of others.
 */
async function addAtomically(
  watchlists: Model<WatchlistsRecord>,
  { userId, list, entry }: { userId: string; list: WatchlistName; entry: { address: string; addedAt: Date } },
): Promise<WatchlistsRecord> {
  const present = { $ifNull: [`$${list}`, []] };
  const isOn = { $in: [entry.address, { $ifNull: [`$${list}.address`, []] }] };
  const isFull = { $gte: [{ $size: present }, WATCHLIST_MAX] };
  const staysAsItIs = { $or: [isOn, isFull] };
  const from = opposite[list];
  const others = from && {
    $filter: { input: { $ifNull: [`$${from}`, []] }, cond: { $ne: ['$$this.address', entry.address] } },
  };
  const change = {
    [list]: { $cond: [staysAsItIs, present, { $concatArrays: [present, [entry]] }] },
    ...(from ? { [from]: { $cond: [staysAsItIs, { $ifNull: [`$${from}`, []] }, others] } } : {}),
  };
  const _id = new Types.ObjectId(userId);
  const update = () =>
    watchlists
      .findOneAndUpdate({ _id }, [{ $set: change }], { upsert: true, updatePipeline: true, returnDocument: 'before' })
      .lean<WatchlistsRecord>();
  try {
    return withAllLists(_id, await update());
  } catch (error) {
    // Two first entries at the same time, in two processes: the document is there now.
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
