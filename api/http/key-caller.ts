import type Koa from 'koa';
import type { Types } from 'mongoose';
import { API_KEY_PREFIX, type ApiKeyLimits, type ApiKeyScope } from '../../common/api-keys/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { RequestUser } from './caller.ts';
import { addressKey, type Limiter } from './limits/rate-limits.ts';

/** The fields of an API key that requests read. */
export interface RequestKey {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  scope: ApiKeyScope;
  /** Null for a key that only reads. */
  limits: ApiKeyLimits | null;
  createdAt: Date;
}

/** Resolves with the key of a secret and its user; null when it is not in force. */
type FindKey = (secret: string) => Promise<{ key: RequestKey; user: RequestUser } | null>;

declare module 'koa' {
  interface DefaultState {
    /** The API key of this request; missing for one with a session or without either. */
    apiKey?: RequestKey;
  }
}

const BEARER = 'Bearer ';

/**
 * Makes the user of an API key the caller of a request that sends one (`Authorization: Bearer mw_…`), without an administrator's
 * rights. A session that comes with it does not count. `limits`: requests of each key, and wrong keys of each address. Throws
 * `unauthenticated`, also for a key that has ended.
 */
export function keyCaller(find: FindKey, limits: { perKey: Limiter; wrong: Limiter }): Koa.Middleware {
  return async (ctx, next) => {
    const header = ctx.get('Authorization');
    if (!header.startsWith(BEARER + API_KEY_PREFIX)) return next();
    const address = addressKey(ctx.ip);
    const found = await find(header.slice(BEARER.length));
    if (!found) {
      await limits.wrong.count(address);
      throw new PublicError('unauthenticated', { text: 'This API key is not in force.' });
    }
    const { key, user } = found;
    await limits.perKey.count(key._id.toHexString());
    ctx.state.apiKey = key;
    const caller = { ...user, isAdmin: false };
    ctx.state.currentUser = async () => caller;
    return next();
  };
}
