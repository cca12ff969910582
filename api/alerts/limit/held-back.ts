import { type Connection, type Model, Schema, Types } from 'mongoose';
import { HOUR, MINUTE } from '../../../common/time.ts';
import { hourOf } from './places.ts';

/** Counts are stored at most this often, ms: a process that dies loses those of the last minute. */
const STORE_INTERVAL = MINUTE;
/** Users in one write. */
const BATCH = 250;

/** Alerts that the limit held back from a user in one hour. */
export interface AlertHourRecord {
  /** The user's id. */
  _id: Types.ObjectId;
  /** Start of the hour. */
  hour: Date;
  heldBack: number;
}

const alertHourSchema = new Schema<AlertHourRecord>(
  { hour: { type: Date, required: true }, heldBack: { type: Number, required: true } },
  { versionKey: false, collection: 'alertHours' },
);
// Read until the end of the next hour.
alertHourSchema.index({ hour: 1 }, { expireAfterSeconds: (3 * HOUR) / 1_000 });

export function alertHourModel(connection: Connection): Model<AlertHourRecord> {
  return connection.model<AlertHourRecord>('AlertHour', alertHourSchema);
}

/** Counts of alerts that the limit held back, by user: of the present hour and the one before. */
export interface HeldBack {
  /** Counts one alert of each user, in memory. `at`: epoch ms. */
  add(userIds: readonly string[], at: number): void;
  /** Returns the count of the user's present hour. */
  ofThisHour(userId: string, at: number): Promise<number>;
  /** Returns the counts of the hour before; users without any are missing. */
  ofLastHour(userIds: readonly string[], at: number): Promise<Map<string, number>>;
  /** Stores the counts when the last time is a minute ago, or now with `force`. */
  store(at: number, force?: boolean): Promise<void>;
}

export function createHeldBack(connection: Connection): HeldBack {
  const hours = alertHourModel(connection);
  /** Counts that are not stored yet, by hour and user. */
  const pending = new Map<number, Map<string, number>>();
  let storedAt = Number.NEGATIVE_INFINITY;

  async function write(hour: number, counts: Map<string, number>): Promise<void> {
    const batch = [...counts].slice(0, BATCH);
    await hours.bulkWrite(
      batch.map(([id, count]) => ({
        updateOne: { filter: { _id: new Types.ObjectId(id) }, update: [{ $set: added(hour, count) }], upsert: true },
      })),
      { ordered: false },
    );
    for (const [id, count] of batch) {
      const left = (counts.get(id) ?? 0) - count;
      if (left > 0) counts.set(id, left);
      else counts.delete(id);
    }
  }

  async function writeAll(): Promise<void> {
    for (const [hour, counts] of pending) {
      while (counts.size > 0) await write(hour, counts);
      pending.delete(hour);
    }
  }

  async function stored(userIds: readonly string[], hour: number): Promise<Map<string, number>> {
    const _id = { $in: userIds.map((id) => new Types.ObjectId(id)) };
    const found = await hours.find({ _id, hour: startOf(hour) }).lean<AlertHourRecord[]>();
    return new Map(found.map((record) => [record._id.toHexString(), record.heldBack]));
  }

  return {
    add(userIds, at) {
      const counts = pending.get(hourOf(at)) ?? new Map<string, number>();
      pending.set(hourOf(at), counts);
      for (const id of userIds) counts.set(id, (counts.get(id) ?? 0) + 1);
    },
    async ofThisHour(userId, at) {
      const hour = hourOf(at);
      const count = (await stored([userId], hour)).get(userId) ?? 0;
      return count + (pending.get(hour)?.get(userId) ?? 0);
    },
    async ofLastHour(userIds, at) {
      const hour = hourOf(at) - 1;
      // A newer count replaces the stored one of the hour before.
      if (pending.has(hour)) await writeAll();
      return stored(userIds, hour);
    },
    async store(at, force = false) {
      if (!force && at - storedAt < STORE_INTERVAL && hourOf(at) === hourOf(storedAt)) return;
      await writeAll();
      storedAt = at;
    },
  };
}

function startOf(hour: number): Date {
  return new Date(hour * HOUR);
}

/** Returns the fields after adding `count` to the stored count, or replacing that of another hour. */
function added(hour: number, count: number) {
  const before = { $cond: [{ $eq: ['$hour', startOf(hour)] }, '$heldBack', 0] };
  return { hour: startOf(hour), heldBack: { $add: [before, count] } };
}
