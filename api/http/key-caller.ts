import type Koa from 'koa';
import { API_KEY_PREFIX } from '../../common/api-keys/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { ApiKeyRecord } from '../api-keys/model.ts';
import type { ApiKeys } from '../api-keys/service.ts';
import { addressKey, type Limiter } from './limits/rate-limits.ts';

declare module 'koa' {
  interface DefaultState {
    /** The API key of this request; missing for one with a session or without either. */
    apiKey?: ApiKeyRecord;
  }
}

const BEARER = 'Bearer ';

/**
 * Makes the user of an API key the caller of a request that sends one (`Authorization: Bearer mw_…`), without an administrator's
 * rights. A session that comes with it does not count. `limits`: requests of each key, and wrong keys of each address. Throws `unauthenticated`, also for a key
 * that has ended.
 */
export function keyCaller(apiKeys: Pick<ApiKeys, 'find'>, limits: { perKey: Limiter; wrong: Limiter }): Koa.Middleware {
  return async (ctx, next) => {
    const header = ctx.get('Authorization');
    if (!header.startsWith(BEARER + API_KEY_PREFIX)) return next();
    const address = addressKey(ctx.ip);
    const found = await apiKeys.find(header.slice(BEARER.length));
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
