import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { addressKey, type Limiter } from './limits.ts';

declare module 'koa' {
  interface DefaultState {
    /**
     * Whether this request came with the direct admin key (decision 14); false when it came without one. Throws `forbidden`
     * for a wrong one and where none is configured, `too-many-requests` after too many wrong ones.
     */
    hasAdminKey(): Promise<boolean>;
  }
}

/** `key`: the configured one; null where direct access is off. */
export function adminKey({ key, tries, log }: { key: string | null; tries: Limiter; log: Logger }): Koa.Middleware {
  const isRight = key === null ? null : comparison(key);
  return (ctx, next) => {
    ctx.state.hasAdminKey = async () => {
      const sent = ctx.get(ADMIN_KEY_HEADER);
      if (sent === '') return false;
      if (isRight === null) throw new PublicError('forbidden', { text: 'Direct access is switched off.' });
      const address = addressKey(ctx.ip);
      await tries.count(address);
      if (!isRight(sent)) {
        log.warn({ path: ctx.path, address }, 'a wrong direct admin key was sent');
        throw new PublicError('forbidden', { text: 'This is not the admin key.' });
      }
      await tries.forget(address);
      log.warn({ path: ctx.path, address }, 'the direct admin key was used');
      return true;
    };
    return next();
  };
}

/** Takes the same time for every text: digests have one length, and are compared to their end. */
function comparison(key: string): (text: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const wanted = digest(key);
  return (text) => timingSafeEqual(digest(text), wanted);
}
