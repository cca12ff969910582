import { type Model, Schema, type SchemaDefinition, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { requireOwn } from '../http/authorize.ts';
import { isDuplicateKey } from '../platform/database.ts';
import { createTurns } from '../platform/keyed-mutex.ts';
import type { UserRecord } from './model.ts';

/** What every document has that belongs to one user and of which a user may have so many. */
export interface OwnedRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  /** 0 to one less than there may be, each of them once a user: the unique index on it is what keeps the limit. */
  place: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The schema of documents that belong to users, with `fields` beside what all of them have. */
export function ownedSchema(collection: string, fields: SchemaDefinition): Schema<OwnedRecord> {
  const schema = new Schema<OwnedRecord>(
    {
      userId: { type: Schema.Types.ObjectId, required: true },
      place: { type: Number, required: true },
      createdAt: { type: Date, required: true },
      updatedAt: { type: Date, required: true },
    },
    // Without `minimize`, which would leave an empty configuration out.
    { versionKey: false, collection, id: false, minimize: false },
  );
  schema.add(fields);
  schema.index({ userId: 1, place: 1 }, { unique: true });
  // A user's own, newest first.
  schema.index({ userId: 1, createdAt: -1, _id: -1 });
  return schema;
}

/** Fields to be set; those that are absent or undefined stay as they are. */
export type Change<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/**
 * The documents of one kind, as `present` makes them. Each user has their own, and administrators have everybody's: anyone
 * else is `forbidden`. An id of no document is `not-found`.
 */
export interface Owned<Fields, Item> {
  /** Newest first. */
  list(caller: UserRecord, userId: string): Promise<Item[]>;
  /** Throws `limit-reached` when the user has as many as there may be. */
  create(caller: UserRecord, userId: string, fields: Fields): Promise<Item>;
  change(caller: UserRecord, id: string, change: Change<Fields>): Promise<Item>;
  remove(caller: UserRecord, id: string): Promise<void>;
}

export interface OwnedDeps<Fields, Item> {
  model: Model<OwnedRecord>;
  /** How many a user may have. */
  max: number;
  present(record: OwnedRecord & Fields): Item;
  /** Called after the write is acknowledged, for each user in the order of the changes. */
  tell: { saved(userId: string, item: Item): void; deleted(userId: string, id: string): void };
  clock: Clock;
}

export function createOwned<Fields extends object, Item>(deps: OwnedDeps<Fields, Item>): Owned<Fields, Item> {
  const { model, present, tell, clock } = deps;
  const inTurn = createTurns();
  type Stored = OwnedRecord & Fields;

  async function own(caller: UserRecord, id: string): Promise<Stored> {
    const record = await model.findById(id).lean<Stored>();
    if (!record) throw new PublicError('not-found');
    requireOwn(caller, record.userId.toHexString());
    return record;
  }

  async function create(userId: string, fields: Fields): Promise<Item> {
    const now = new Date(clock.now());
    const begun = { ...fields, _id: new Types.ObjectId(), userId: new Types.ObjectId(userId), createdAt: now };
    for (;;) {
      const record = { ...begun, updatedAt: now, place: await freePlace(begun.userId) };
      try {
        await model.create(record);
      } catch (error) {
        // Another process took the place. That can happen only as often as there are places.
        if (isDuplicateKey(error)) continue;
        throw error;
      }
      const item = present(record);
      tell.saved(userId, item);
      return item;
    }
  }

  /** Index { userId: 1, place: 1 }, from which alone it is answered. */
  async function freePlace(userId: Types.ObjectId): Promise<number> {
    const taken = await model.find({ userId }, { _id: 0, place: 1 }).sort({ place: 1 }).lean<{ place: number }[]>();
    const gap = taken.findIndex(({ place }, index) => place !== index);
    const free = gap === -1 ? taken.length : gap;
    if (free >= deps.max) throw new PublicError('limit-reached');
    return free;
  }

  async function change(record: Stored, wanted: Change<Fields>): Promise<Item> {
    const fields = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    if (Object.keys(fields).length === 0) return present(record);
    const set = { ...fields, updatedAt: new Date(clock.now()) };
    const changed = await model
      .findByIdAndUpdate(record._id, { $set: set }, { returnDocument: 'after' })
      .lean<Stored>();
    if (!changed) throw new PublicError('not-found');
    const item = present(changed);
    tell.saved(record.userId.toHexString(), item);
    return item;
  }

  async function remove({ _id, userId }: Stored): Promise<void> {
    const { deletedCount } = await model.deleteOne({ _id });
    if (deletedCount === 0) throw new PublicError('not-found');
    tell.deleted(userId.toHexString(), _id.toHexString());
  }

  return {
    // Index { userId: 1, createdAt: -1, _id: -1 }.
    async list(caller, userId) {
      requireOwn(caller, userId);
      const records = await model
        .find({ userId: new Types.ObjectId(userId) })
        .sort({ createdAt: -1, _id: -1 })
        .lean<Stored[]>();
      return records.map(present);
    },
    async create(caller, userId, fields) {
      requireOwn(caller, userId);
      return inTurn(userId, () => create(userId, fields));
    },
    async change(caller, id, wanted) {
      const record = await own(caller, id);
      return inTurn(record.userId.toHexString(), () => change(record, wanted));
    },
    async remove(caller, id) {
      const record = await own(caller, id);
      return inTurn(record.userId.toHexString(), () => remove(record));
    },
  };
}
