import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { addressKey, type Limiter } from './limits/rate-limits.ts';

declare module 'koa' {
  interface DefaultState {
    /**
     * Resolves with true when this request carries the direct admin key (decision 14), false when it carries none, after
     * the use is recorded. Throws `forbidden` for a wrong key and where none is configured, `too-many-requests` after too
     * many wrong ones. `inBody`: the key in the body, for a call that takes it there; the header takes precedence.
     */
    hasAdminKey(inBody?: string): Promise<boolean>;
  }
}

export interface AdminKeyDeps {
  /** The configured key; null: direct access is off. */
  key: string | null;
  /** Counts of wrong keys: by address, and of all addresses together. */
  attempts: { perAddress: Limiter; inAll: Limiter };
  /** Records a use or a refusal of the key. `address`: the client's, as `addressKey` forms it. */
  record(action: 'admin-key-used' | 'admin-key-refused', address: string, path: string): Promise<void>;
  log: Logger;
}

/** Key of the count of all addresses together. */
const ALL = 'all';

export function adminKey({ key, attempts, record, log }: AdminKeyDeps): Koa.Middleware {
  const isRight = key === null ? null : secretComparison(key);
  return (ctx, next) => {
    ctx.state.hasAdminKey = async (inBody = '') => {
      const sent = ctx.get(ADMIN_KEY_HEADER) || inBody;
      if (sent === '') return false;
      if (isRight === null) throw new PublicError('forbidden', { text: 'Direct access is switched off.' });
      const address = addressKey(ctx.ip);
      // Before the record, so that strangers cannot fill the audit.
      await attempts.perAddress.count(address);
      await attempts.inAll.count(ALL);
      if (!isRight(sent)) {
        log.warn({ path: ctx.path, address }, 'direct admin key refused');
        await record('admin-key-refused', address, ctx.path);
        throw new PublicError('forbidden', { text: 'This is not the admin key.' });
      }
      await Promise.all([attempts.perAddress.forget(address), attempts.inAll.forget(ALL)]);
      log.warn({ path: ctx.path, address }, 'direct admin key used');
      await record('admin-key-used', address, ctx.path);
      return true;
    };
    return next();
  };
}

/** Returns the comparison of texts with a secret, in constant time: digests have one length and are compared to their end. */
export function secretComparison(key: string): (text: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(key);
  return (text) => timingSafeEqual(digest(text), expected);
}
