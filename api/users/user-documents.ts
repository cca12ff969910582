import { type Model, Schema, type SchemaDefinition, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { type RequestUser, requireOwner, requireOwnerOrAdmin, requireOwnObject } from '../http/caller.ts';
import { freePlace, isDuplicateOf, unlessDuplicate } from '../platform/database.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';

/** Fields of every document that belongs to one user. Each user may have a limited number of them. */
export interface UserDocument {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  /** 0 to limit − 1, unique per user: the unique index on it enforces the limit. */
  place: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns the schema of documents that belong to users: the common fields and `fields`. */
export function userDocumentSchema(collection: string, fields: SchemaDefinition): Schema<UserDocument> {
  const schema = new Schema<UserDocument>(
    {
      userId: { type: Schema.Types.ObjectId, required: true },
      place: { type: Number, required: true },
      createdAt: { type: Date, required: true },
      updatedAt: { type: Date, required: true },
    },
    // Without `minimize`, which would drop an empty configuration.
    { versionKey: false, collection, id: false, minimize: false },
  );
  schema.add(fields);
  schema.index({ userId: 1, place: 1 }, { unique: true });
  // Documents of a user, newest first.
  schema.index({ userId: 1, createdAt: -1, _id: -1 });
  return schema;
}

/** Fields to set; absent or undefined ones stay unchanged. */
export type Change<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

/**
 * The documents of one kind, as `present` forms them. Users may use their own, and administrators read all. Another user's
 * document throws `not-found`, as an unknown id does, and `forbidden` to administrators; another user's list throws `forbidden`.
 */
export type UserDocuments<Fields extends object, Item> = ReturnType<typeof createUserDocuments<Fields, Item>>;

export interface UserDocumentDeps<Fields, Item> {
  model: Model<UserDocument>;
  /** Limit per user. */
  max: number;
  /** Text of `limit-reached`; missing: the general one. */
  fullText?: string;
  present(record: UserDocument & Fields): Item;
  /** Returns further fields that follow from a new or a changed document. `before`: null for a new one; `now`: epoch ms. */
  derive?(before: (UserDocument & Fields) | null, saved: Change<Fields>, now: number): Change<Fields>;
  /** Throws when a new document is not allowed. No other write of its user runs meanwhile. */
  allow?(owner: Types.ObjectId, fields: Fields): Promise<void>;
  /** Emit the change. Called after the write is acknowledged, for each user in the order of the changes. */
  onSaved(userId: string, item: Item): void;
  onDeleted(userId: string, id: string): void;
  clock: Clock;
}

export function createUserDocuments<Fields extends object, Item>(deps: UserDocumentDeps<Fields, Item>) {
  const { model, present, clock, derive = () => ({}) } = deps;
  const exclusive = createKeyedMutex();
  type Stored = UserDocument & Fields;

  async function findAuthorized(caller: RequestUser, id: string): Promise<Stored> {
    const record = await model.findById(id).lean<Stored>();
    if (!record) throw new PublicError('not-found');
    requireOwnObject(caller, record.userId.toHexString());
    return record;
  }

  async function create(userId: string, fields: Fields): Promise<Item> {
    const now = new Date(clock.now());
    const all = { ...fields, ...derive(null, fields, now.getTime()) };
    const owner = new Types.ObjectId(userId);
    await deps.allow?.(owner, fields);
    const draft = { ...all, _id: new Types.ObjectId(), userId: owner, createdAt: now, updatedAt: now };
    const item = present(await insert(model, draft, deps.max).catch(explainLimit(deps.fullText)));
    deps.onSaved(userId, item);
    return item;
  }

  async function change({ _id }: Stored, requested: Change<Fields>): Promise<Item> {
    // Read again: an earlier change of the same user may have been in progress.
    const record = await model.findById(_id).lean<Stored>();
    if (!record) throw new PublicError('not-found');
    const fields = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined));
    if (Object.keys(fields).length === 0) return present(record);
    const now = clock.now();
    const set = { ...fields, ...derive(record, requested, now), updatedAt: new Date(now) };
    const changed = await unlessNameTaken(() =>
      model.findByIdAndUpdate(record._id, { $set: set }, { returnDocument: 'after' }).lean<Stored>().exec(),
    );
    if (!changed) throw new PublicError('not-found');
    const item = present(changed);
    deps.onSaved(record.userId.toHexString(), item);
    return item;
  }

  async function remove({ _id, userId }: Stored): Promise<void> {
    const { deletedCount } = await model.deleteOne({ _id });
    if (deletedCount === 0) throw new PublicError('not-found');
    deps.onDeleted(userId.toHexString(), _id.toHexString());
  }

  return {
    /** Newest first. The caller records the look of an administrator. */
    // Index { userId: 1, createdAt: -1, _id: -1 }.
    async list(caller: RequestUser, userId: string): Promise<Item[]> {
      requireOwnerOrAdmin(caller, userId);
      const records = await model
        .find({ userId: new Types.ObjectId(userId) })
        .sort({ createdAt: -1, _id: -1 })
        .lean<Stored[]>();
      return records.map(present);
    },
    /** Throws `limit-reached` when the user has the most allowed, `name-taken` where names are unique. */
    async create(caller: RequestUser, userId: string, fields: Fields): Promise<Item> {
      requireOwner(caller, userId);
      return exclusive(userId, () => create(userId, fields));
    },
    async change(caller: RequestUser, id: string, requested: Change<Fields>): Promise<Item> {
      const record = await findAuthorized(caller, id);
      return exclusive(record.userId.toHexString(), () => change(record, requested));
    },
    async remove(caller: RequestUser, id: string): Promise<void> {
      const record = await findAuthorized(caller, id);
      return exclusive(record.userId.toHexString(), () => remove(record));
    },
  };
}

/** Returns a handler that rethrows an error; `limit-reached` with the text, if there is one. */
function explainLimit(text: string | undefined): (error: unknown) => never {
  return (error) => {
    const isFull = text !== undefined && error instanceof PublicError && error.code === 'limit-reached';
    throw isFull ? new PublicError('limit-reached', { text }) : error;
  };
}

/** Runs a write. Throws `name-taken` when a unique index has the name. */
async function unlessNameTaken<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw isDuplicateOf(error, 'name') ? new PublicError('name-taken') : error;
  }
}

/** Stores a document at a free place of its user. Throws `limit-reached`, or `name-taken`. */
async function insert<Draft extends Omit<UserDocument, 'place'>>(
  model: Model<UserDocument>,
  draft: Draft,
  max: number,
): Promise<Draft & { place: number }> {
  for (;;) {
    // Index { userId: 1, place: 1 }; reads no document.
    const record = { ...draft, place: await freePlace(model, { userId: draft.userId }, max) };
    // Otherwise a concurrent request took the place, which can happen at most `max` times.
    if (await unlessDuplicate(() => unlessNameTaken(() => model.create(record)))) return record;
  }
}
