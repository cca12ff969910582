import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import type { Audit } from '../audit/service.ts';
import { addressKey, type Limiter } from './rate-limits.ts';

declare module 'koa' {
  interface DefaultState {
    /**
     * Whether this request came with the direct admin key (decision 14); false when it came without one. Throws `forbidden`
     * for a wrong one and where none is configured, `too-many-requests` after too many wrong ones. Resolves after the use, or
     * the refusal, is on record. `inBody`: the one in the body, for a call that takes it there; the header goes before it.
     */
    hasAdminKey(inBody?: string): Promise<boolean>;
  }
}

export interface AdminKeyDeps {
  /** The configured one; null where direct access is off. */
  key: string | null;
  tries: Limiter;
  audit: Pick<Audit, 'record'>;
  log: Logger;
}

export function adminKey({ key, tries, audit, log }: AdminKeyDeps): Koa.Middleware {
  const isRight = key === null ? null : comparison(key);
  return (ctx, next) => {
    ctx.state.hasAdminKey = async (inBody = '') => {
      const sent = ctx.get(ADMIN_KEY_HEADER) || inBody;
      if (sent === '') return false;
      if (isRight === null) throw new PublicError('forbidden', { text: 'Direct access is switched off.' });
      const address = addressKey(ctx.ip);
      // Before the record: strangers must not be able to fill it.
      await tries.count(address);
      const by = { user: null, address };
      if (!isRight(sent)) {
        log.warn({ path: ctx.path, address }, 'a wrong direct admin key was sent');
        await audit.record('admin-key-refused', by, null, ctx.path);
        throw new PublicError('forbidden', { text: 'This is not the admin key.' });
      }
      await tries.forget(address);
      log.warn({ path: ctx.path, address }, 'the direct admin key was used');
      await audit.record('admin-key-used', by, null, ctx.path);
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
