import { type Connection, mongo, Types } from 'mongoose';
import type { Alert } from '../../common/alerts/model.ts';
import { type UserRecord, userModel } from '../users/model.ts';
import { watchlistsModel } from '../watchlists/model.ts';
import { type AlertRecord, alertModel } from './model.ts';

/** The fields of an earlier alert that the matcher reads back at a start. */
export type EarlierAlert = Pick<AlertRecord, 'userId' | 'type' | 'address' | 'price' | 'at'>;

/** Alerts of one batch: reading megabytes at once would block the process. */
const EARLIER_BATCH = 1_000;

/** The alerts of this database. User ids are hexadecimal. */
export interface AlertStore {
  /** Returns those of these users who may be alerted about the token: active, and without the token on their blacklist. */
  allowed(address: string, userIds: readonly string[]): Promise<Set<string>>;
  /**
   * Stores the alerts that their users do not have yet, and returns them. A retry with the same records returns those that
   * the failed call had stored, too.
   */
  insert(records: readonly AlertRecord[]): Promise<AlertRecord[]>;
  /** Returns the newest alerts of a user, newest first. */
  list(userId: string, limit: number): Promise<Alert[]>;
  /** Returns at most `limit` alerts from `since` on and before `before` (epoch ms), newest first. */
  earlier(options: { since: number; before?: number; limit: number }): AsyncIterable<EarlierAlert>;
}

export function createAlertStore(connection: Connection): AlertStore {
  const alerts = alertModel(connection);
  const users = userModel(connection);
  const watchlists = watchlistsModel(connection);

  return {
    async allowed(address, userIds) {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      // By _id in both collections.
      const [active, blacklisting] = await Promise.all([
        users.find({ _id: { $in: ids }, isActive: true }, { _id: 1 }).lean<Pick<UserRecord, '_id'>[]>(),
        watchlists.find({ _id: { $in: ids }, 'black.address': address }, { _id: 1 }).lean<{ _id: Types.ObjectId }[]>(),
      ]);
      const allowed = new Set(active.map(({ _id }) => _id.toHexString()));
      for (const { _id } of blacklisting) allowed.delete(_id.toHexString());
      return allowed;
    },

    async insert(records) {
      if (records.length === 0) return [];
      try {
        await alerts.collection.insertMany([...records], { ordered: false });
        return [...records];
      } catch (error) {
        const refused = refusedIndexes(error);
        const ids = [...refused].flatMap((index) => records[index]?._id ?? []);
        // A record refused because of itself: an earlier call stored it and its response was lost. By _id.
        const mine = await alerts.find({ _id: { $in: ids } }, { _id: 1 }).lean<Pick<AlertRecord, '_id'>[]>();
        const own = new Set(mine.map(({ _id }) => _id.toHexString()));
        return records.filter(({ _id }, index) => !refused.has(index) || own.has(_id.toHexString()));
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
        .cursor({ batchSize: EARLIER_BATCH });
    },
  };
}

export function presentAlert({ _id, type, address, name, symbol, text, at }: AlertRecord): Alert {
  return { id: _id.toHexString(), type, address, name, symbol, text, at: at.toISOString() };
}

const DUPLICATE_KEY = 11_000;

/** Returns the indexes of the records that a unique index refused. Throws every other error. */
function refusedIndexes(error: unknown): Set<number> {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  if (error.result.getWriteConcernError()) throw error;
  return new Set(failures.map(({ index }) => index));
}
