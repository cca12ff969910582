import { createHash, randomBytes } from 'node:crypto';
import { type Connection, type Model, Types } from 'mongoose';
import { API_KEY_PREFIX, API_KEYS_MAX, type NewApiKey } from '../../common/api-keys/model.ts';
import { PublicError } from '../../common/errors.ts';
import { type Clock, MINUTE } from '../../common/time.ts';
import { dayOf } from '../../common/trading/limits/book.ts';
import type { Audit } from '../audit/service.ts';
import type { RequestActor } from '../http/caller.ts';
import type { RequestKey } from '../http/key-caller.ts';
import { ensureIndexes } from '../platform/database.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import type { UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';
import { type ApiKeyRecord, apiKeyModel } from './model.ts';

const SECRET_BYTES = 32;
/** Characters of the secret that its owner sees in the list. */
const HINT_LENGTH = API_KEY_PREFIX.length + 6;
/** Time between two updates of `lastUsedAt`, ms. */
const USE_RECORD_INTERVAL = 5 * MINUTE;

/** The keys of users for their programs. */
export type ApiKeys = Awaited<ReturnType<typeof openApiKeys>>;

export async function openApiKeys(deps: {
  connection: Connection;
  users: Pick<Users, 'findActive'>;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
}) {
  const { users, audit, clock } = deps;
  const keys = apiKeyModel(deps.connection);
  await ensureIndexes(keys);
  const exclusive = createKeyedMutex();

  return {
    /** Newest first. */
    list: (userId: string): Promise<ApiKeyRecord[]> =>
      keys.find({ userId }).sort({ _id: -1 }).limit(API_KEYS_MAX).lean<ApiKeyRecord[]>().exec(),
    /** Creates a key. Resolves with it and its secret, which is not stored. Throws `limit-reached`. */
    create: ({ user, address }: RequestActor, input: NewApiKey): Promise<{ key: ApiKeyRecord; secret: string }> => {
      const id = user._id.toHexString();
      return exclusive(id, async () => {
        const owner = await users.findActive(id);
        if (!owner) throw new PublicError('unauthenticated');
        if ((await keys.countDocuments({ userId: id })) >= API_KEYS_MAX) throw new PublicError('limit-reached');
        const secret = API_KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
        const now = clock.now();
        const key: ApiKeyRecord = {
          _id: new Types.ObjectId(),
          userId: user._id,
          name: input.name,
          scope: input.scope,
          hint: secret.slice(0, HINT_LENGTH),
          digest: digestOf(secret),
          password: digestOf(owner.passwordHash),
          limits: input.limits ?? null,
          spent: { day: dayOf(now), lamports: 0 },
          createdAt: new Date(now),
          lastUsedAt: null,
        };
        await audit.record('api-key-created', { user, address }, id, `${key.hint}, ${key.scope}`);
        await keys.create(key);
        return { key, secret };
      });
    },
    /** Ends a key of this user. Throws `not-found`. */
    async end({ user, address }: RequestActor, keyId: string): Promise<void> {
      const ended = await keys.findOneAndDelete({ _id: keyId, userId: user._id }).lean<ApiKeyRecord>();
      if (!ended) throw new PublicError('not-found');
      await audit.record('api-key-ended', { user, address }, user._id.toHexString(), ended.hint);
    },
    /** Resolves with the key of this secret and its user; null when it is not in force. */
    async find(secret: string): Promise<{ key: ApiKeyRecord; user: UserRecord } | null> {
      const key = await keys.findOne({ digest: digestOf(secret) }).lean<ApiKeyRecord>();
      const user = key && (await users.findActive(key.userId.toHexString()));
      if (!user) return null;
      if (key.password !== digestOf(user.passwordHash)) {
        await keys.deleteOne({ _id: key._id });
        return null;
      }
      const now = clock.now();
      if (now - (key.lastUsedAt?.getTime() ?? Number.NEGATIVE_INFINITY) >= USE_RECORD_INTERVAL) {
        await keys.updateOne({ _id: key._id }, { $set: { lastUsedAt: new Date(now) } });
      }
      return { key, user };
    },
    /** Ends a key whose user has stopped trading since it was made. */
    async endStopped({ _id }: RequestKey): Promise<void> {
      await keys.deleteOne({ _id });
    },
    ...createKeyBudget(keys, clock),
  };
}

/** A purchase by a key. */
export interface KeyPurchase {
  lamports: number;
  /** Most that it pays to the network: many small purchases could otherwise spend more by fees than the key may in a day. */
  feesLamports: number;
}

/** Counts what keys spend. */
function createKeyBudget(keys: Model<ApiKeyRecord>, clock: Clock) {
  return {
    /**
     * Counts a purchase against the limits of its key, before it is placed. Throws `over-limit` or `day-budget`. Resolves with the
     * function that takes it back after a refusal.
     */
    async spend(
      { _id, limits }: RequestKey,
      { lamports: amount, feesLamports }: KeyPurchase,
    ): Promise<() => Promise<void>> {
      const perTrade = limits?.perTradeLamports ?? 0;
      if (amount > perTrade) {
        throw new PublicError('over-limit', { text: 'This exceeds the limit a trade of this API key.' });
      }
      const day = dayOf(clock.now());
      const lamports = amount + feesLamports;
      const rest = (limits?.perDayLamports ?? 0) - lamports;
      const counted =
        rest >= 0 &&
        ((
          await keys.updateOne(
            { _id, 'spent.day': day, 'spent.lamports': { $lte: rest } },
            { $inc: { 'spent.lamports': lamports } },
          )
        ).modifiedCount > 0 ||
          (await keys.updateOne({ _id, 'spent.day': { $ne: day } }, { $set: { spent: { day, lamports } } }))
            .modifiedCount > 0);
      if (!counted) throw new PublicError('day-budget', { text: 'This exceeds the limit a day of this API key.' });
      return async () => {
        await keys.updateOne({ _id, 'spent.day': day }, { $inc: { 'spent.lamports': -lamports } });
      };
    },
  };
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
