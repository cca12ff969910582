import { type Connection, mongo, Types } from 'mongoose';
import type { Alert } from '../../common/alerts/model.ts';
import { type UserRecord, userModel } from '../users/model.ts';
import { watchlistsModel } from '../watchlists/model.ts';
import { type AlertRecord, alertModel } from './model.ts';
import { presentAlert } from './present.ts';

/** What the matcher reads back of earlier alerts. */
export type EarlierAlert = Pick<AlertRecord, 'userId' | 'type' | 'address' | 'price' | 'at'>;

/** Read at once: a batch of megabytes would hold up the process. */
const EARLIER_AT_ONCE = 1_000;

/** The alerts of this database. User ids are hexadecimal. */
export interface AlertStore {
  /** Of these users, those who may be alerted of this token: active, and the token not on their blacklist. */
  allowed(address: string, userIds: readonly string[]): Promise<Set<string>>;
  /**
   * Keeps those whose user was not alerted so yet, and gives them. To be called again with the very same records when it
   * failed: what the call before kept is given once more.
   */
  insert(records: readonly AlertRecord[]): Promise<AlertRecord[]>;
  /** Newest first. */
  list(userId: string, limit: number): Promise<Alert[]>;
  /** Newest first, `limit` at most, from `since` on and before `before`. */
  earlier(options: { since: number; before?: number; limit: number }): AsyncIterable<EarlierAlert>;
}

export function createAlertStore(connection: Connection): AlertStore {
  const alerts = alertModel(connection);
  const users = userModel(connection);
  const watchlists = watchlistsModel(connection);

  return {
    async allowed(address, userIds) {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      // Both by _id.
      const [active, refusing] = await Promise.all([
        users.find({ _id: { $in: ids }, isActive: true }, { _id: 1 }).lean<Pick<UserRecord, '_id'>[]>(),
        watchlists.find({ _id: { $in: ids }, 'black.address': address }, { _id: 1 }).lean<{ _id: Types.ObjectId }[]>(),
      ]);
      const allowed = new Set(active.map(({ _id }) => _id.toHexString()));
      for (const { _id } of refusing) allowed.delete(_id.toHexString());
      return allowed;
    },

    async insert(records) {
      if (records.length === 0) return [];
      try {
        await alerts.collection.insertMany([...records], { ordered: false });
        return [...records];
      } catch (error) {
        const refused = refusedPlaces(error);
        const ids = [...refused].flatMap((place) => records[place]?._id ?? []);
        // Refused because of itself, when the call before kept it and its answer got lost. By _id.
        const mine = await alerts.find({ _id: { $in: ids } }, { _id: 1 }).lean<Pick<AlertRecord, '_id'>[]>();
        const kept = new Set(mine.map(({ _id }) => _id.toHexString()));
        return records.filter(({ _id }, place) => !refused.has(place) || kept.has(_id.toHexString()));
      }
    },

    async list(userId, limit) {
      // Index: userId, at, _id.
      const found = await alerts
        .find({ userId: new Types.ObjectId(userId) })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .lean<AlertRecord[]>();
      return found.map(presentAlert);
    },

    earlier({ since, before, limit }) {
      const at = { $gte: new Date(since), ...(before === undefined ? {} : { $lt: new Date(before) }) };
      const fields = { _id: 0, userId: 1, type: 1, address: 1, price: 1, at: 1 };
      // Index: at.
      return alerts
        .find({ at }, fields)
        .sort({ at: -1 })
        .limit(limit)
        .lean<EarlierAlert[]>()
        .cursor({ batchSize: EARLIER_AT_ONCE });
    },
  };
}

const DUPLICATE_KEY = 11_000;

/** Places of the records that a unique index refused. Throws when anything else went wrong. */
function refusedPlaces(error: unknown): Set<number> {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  if (error.result.getWriteConcernError()) throw error;
  return new Set(failures.map(({ index }) => index));
}
