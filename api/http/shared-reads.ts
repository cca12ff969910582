import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { type DatabaseMonitor, untilLost } from '../platform/database-monitor.ts';
import { createGrowingCache } from '../platform/growing-cache.ts';
import type { CallerFinder } from './caller.ts';
import { type JsonText, sendJson } from './json-text.ts';
import type { CountRead } from './limits/read-limits.ts';
import type { SessionData } from './session.ts';

/** A response that is the same for all signed-in users. */
interface SharedResponse {
  json: JsonText;
  headers: Readonly<Record<string, string>>;
  /** Returns whether a new request would get this response as well. */
  isCurrent(): boolean;
}

declare module 'koa' {
  interface DefaultState {
    /** Gives this response to further requests of signed-in users for the same URL while it is current. */
    share?: (response: SharedResponse) => void;
  }
}

/** URLs whose responses are kept, at most: one body each, about 180 kB. */
const MAX_RESPONSES = 64;
/** Cookie headers whose session is known, at most, and their greatest length: other cookies of this host come with ours. */
const MAX_SESSIONS = 10_000;
const MAX_COOKIES_LENGTH = 1_000;

/**
 * Serves repeated reads without the middleware and the route behind it, which take several times as long as the response. The
 * session and the user are checked as in any request; only the signature of a cookie that was right before is not.
 */
export function sharedReads(deps: {
  database: Pick<DatabaseMonitor, 'isReachable' | 'onLost'>;
  /** Resolves with a session that can be used as it is; null when the session middleware has to decide. */
  peekSession(sessionId: string): Promise<SessionData | null>;
  findCaller: CallerFinder;
  countRead: CountRead;
}): Koa.Middleware {
  const { database, peekSession, findCaller, countRead } = deps;
  const responses = new LRUCache<string, SharedResponse>({ max: MAX_RESPONSES });
  const sessionIds = createGrowingCache<string>(MAX_SESSIONS);

  async function find(ctx: Koa.Context): Promise<SharedResponse | null> {
    const found = responses.get(ctx.url);
    if (found === undefined || !database.isReachable()) return null;
    if (!found.isCurrent()) {
      responses.delete(ctx.url);
      return null;
    }
    const sessionId = sessionIds.get(ctx.headers.cookie ?? '');
    const session = sessionId === undefined ? null : await peekSession(sessionId);
    const user = session && (await findCaller(session));
    // Once more, since it may have changed during the reads.
    if (!user || !found.isCurrent()) return null;
    await countRead(user._id.toHexString());
    return found;
  }

  return async (ctx, next) => {
    if (ctx.method !== 'GET') return next();
    const shared = responses.has(ctx.url) ? await untilLost(database, find(ctx)) : null;
    if (shared) {
      for (const [name, value] of Object.entries(shared.headers)) ctx.res.setHeader(name, value);
      ctx.res.setHeader('Vary', 'Accept-Encoding');
      return sendJson(ctx, shared.json);
    }
    ctx.state.share = (made) => {
      responses.set(ctx.url, made);
      const cookies = ctx.headers.cookie ?? '';
      const sessionId = ctx.session?.externalKey;
      if (sessionId !== undefined && cookies.length <= MAX_COOKIES_LENGTH) sessionIds.set(cookies, sessionId);
    };
    return next();
  };
}
