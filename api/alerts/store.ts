import { type Connection, type Model, Types } from 'mongoose';
import type { Alert } from '../../common/alerts/model.ts';
import { type TokenAlertType, tokenAlertTypes } from '../../common/templates/model.ts';
import { duplicateIndexes } from '../platform/database.ts';
import { type UserRecord, userModel } from '../users/model.ts';
import { watchlistsModel } from '../watchlists/model.ts';
import { type AlertRecord, alertModel, PLACES } from './model.ts';

/** The fields of an earlier alert about a token that the matcher reads back at a start. */
export type EarlierAlert = Pick<AlertRecord, 'userId' | 'price' | 'at'> & { type: TokenAlertType; address: string };

/** Alerts of one batch: reading megabytes at once would block the process. */
const EARLIER_BATCH = 1_000;

/** The alerts of this database. User ids are hexadecimal. */
export interface AlertStore {
  /** Returns those of these users who may be alerted: active, and without the token on their blacklist (null: whatever it is). */
  allowed(address: string | null, userIds: readonly string[]): Promise<Set<string>>;
  /**
   * Stores the alerts that their users do not have yet, and returns them. A retry with the same records returns those that
   * the failed call had stored, too. `contested`: alerts whose place another process has taken.
   */
  insert(records: readonly AlertRecord[]): Promise<{ stored: AlertRecord[]; contested: AlertRecord[] }>;
  /** Returns how many places of the hour (limit/places.ts) are taken, by user; users without any are missing. */
  placesTaken(userIds: readonly string[], hour: number): Promise<Map<string, number>>;
  /** Returns the newest alerts of a user, newest first. */
  list(userId: string, limit: number): Promise<Alert[]>;
  /** Returns at most `limit` alerts about tokens from `since` on and before `before` (epoch ms), newest first. */
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
        address === null
          ? []
          : watchlists
              .find({ _id: { $in: ids }, 'black.address': address }, { _id: 1 })
              .lean<{ _id: Types.ObjectId }[]>(),
      ]);
      const allowed = new Set(active.map(({ _id }) => _id.toHexString()));
      for (const { _id } of blacklisting) allowed.delete(_id.toHexString());
      return allowed;
    },

    async insert(records) {
      if (records.length === 0) return { stored: [], contested: [] };
      try {
        await alerts.collection.insertMany([...records], { ordered: false });
        return { stored: [...records], contested: [] };
      } catch (error) {
        const isRefused = duplicateIndexes(error);
        const refused = records.filter((_, index) => isRefused.has(index));
        const existing = await existingLike(alerts, refused);
        // A record refused because of itself: an earlier call stored it and its response was lost.
        const isOwn = (record: AlertRecord) => existing.get(keyOf(record))?.equals(record._id) === true;
        return {
          stored: records.filter((record, index) => !isRefused.has(index) || isOwn(record)),
          contested: refused.filter((record) => !existing.has(keyOf(record))),
        };
      }
    },

    async placesTaken(userIds, hour) {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      // Index: userId, place.
      const found = await alerts.aggregate<{ _id: Types.ObjectId; last: number }>([
        { $match: { userId: { $in: ids }, place: { $gte: hour * PLACES, $lt: (hour + 1) * PLACES } } },
        { $group: { _id: '$userId', last: { $max: '$place' } } },
      ]);
      return new Map(found.map(({ _id, last }) => [_id.toHexString(), (last % PLACES) + 1]));
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
        .find({ at, type: { $in: [...tokenAlertTypes] } }, fields)
        .sort({ at: -1 })
        .limit(limit)
        .lean<EarlierAlert[]>()
        .cursor({ batchSize: EARLIER_BATCH });
    },
  };
}

/** Returns the ids of stored alerts with the same user, token, type and reference, by `keyOf`. */
async function existingLike(
  alerts: Model<AlertRecord>,
  records: readonly AlertRecord[],
): Promise<Map<string, Types.ObjectId>> {
  // Index: userId, address, type, ref.
  const found = await alerts
    .find(
      {
        userId: { $in: records.map(({ userId }) => userId) },
        address: { $in: [...new Set(records.map(({ address }) => address))] },
        type: { $in: [...new Set(records.map(({ type }) => type))] },
        ref: { $in: [...new Set(records.map(({ ref }) => ref))] },
      },
      { userId: 1, address: 1, type: 1, ref: 1 },
    )
    .lean<Pick<AlertRecord, '_id' | 'userId' | 'address' | 'type' | 'ref'>[]>();
  return new Map(found.map((record) => [keyOf(record), record._id]));
}

export function presentAlert(alert: AlertRecord): Alert {
  const { _id, type, address, name, symbol, text, at } = alert;
  // Alerts of earlier versions may lack the last two fields.
  const [ref, figures] = [alert.ref ?? null, alert.figures ?? null];
  return { id: _id.toHexString(), type, address, ref, name, symbol, figures, text, at: at.toISOString() };
}

/** At most one alert has this key. Alerts of earlier versions may lack the reference. */
function keyOf({ userId, address, type, ref }: Pick<AlertRecord, 'userId' | 'address' | 'type' | 'ref'>): string {
  return `${userId.toHexString()} ${address} ${type} ${ref ?? null}`;
}
