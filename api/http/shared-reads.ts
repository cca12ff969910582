import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { type DatabaseMonitor, untilLost } from '../platform/database-monitor.ts';
import { createGrowingCache } from '../platform/growing-cache.ts';
import type { CallerFinder, RequestUser } from './caller.ts';
import { bestEncoding, cacheControlOf, type JsonText, matchesAny } from './json-text.ts';
import type { Limiter } from './limits/rate-limits.ts';
import { REQUEST_ID_HEADER } from './request-log.ts';
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

/** A shared response with its headers as Node writes them, names and values in turns, and the pattern of its route. */
interface Kept extends SharedResponse {
  head: readonly string[];
  route: Koa.Context['_matchedRoute'];
}

/** URLs whose responses are kept, at most: one body each, about 180 kB. */
const MAX_RESPONSES = 64;
/** Cookie headers whose session is known, at most, and their greatest length: other cookies of this host come with ours. */
const MAX_SESSIONS = 10_000;
const MAX_COOKIES_LENGTH = 1_000;

/**
 * Serves repeated reads without the middleware and the route behind it, which take several times as long as the response. The
 * session and the user are checked as in any request; only the signature of a cookie that was right before is not. It refuses
 * nothing: a request that is not served here goes on to what refuses it.
 */
export function sharedReads(deps: {
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>;
  /** Returns whether the host of a request is ours. */
  isOwnHost(request: IncomingMessage): boolean;
  database: Pick<DatabaseMonitor, 'isReachable' | 'onLost'>;
  /** Finds a session that can be used as it is; null when the session middleware has to decide. `known`: without a read. */
  peekSession: { get(sessionId: string): Promise<SessionData | null>; known(sessionId: string): SessionData | null };
  findCaller: CallerFinder;
  reads: Pick<Limiter, 'count'>;
}): Koa.Middleware {
  const { database, peekSession, findCaller } = deps;
  const responses = new LRUCache<string, Kept>({ max: MAX_RESPONSES });
  const sessionIds = createGrowingCache<string>(MAX_SESSIONS);

  function knownCaller(sessionId: string): RequestUser | null {
    const session = peekSession.known(sessionId);
    return session && findCaller.known(session);
  }

  async function readCaller(sessionId: string): Promise<RequestUser | null> {
    const session = await peekSession.get(sessionId);
    return session && findCaller.get(session);
  }

  async function find(request: IncomingMessage): Promise<Kept | null> {
    const found = responses.get(request.url ?? '');
    const sessionId = found && sessionIds.get(request.headers.cookie ?? '');
    if (sessionId === undefined || !database.isReachable() || !deps.isOwnHost(request)) return null;
    const user = knownCaller(sessionId) ?? (await untilLost(database, readCaller(sessionId)).catch(() => null));
    // Asked after the reads, since it may have changed meanwhile.
    if (!user || !found?.isCurrent()) return null;
    const isAllowed = await deps.reads.count(user._id.toHexString()).then(
      () => true,
      () => false,
    );
    return isAllowed ? found : null;
  }

  function keep(ctx: Koa.Context, made: SharedResponse): void {
    const headers = {
      ...deps.headers,
      ...made.headers,
      Vary: 'Accept-Encoding',
      ETag: made.json.etag,
      'Cache-Control': cacheControlOf(ctx.path),
    };
    responses.set(ctx.url, { ...made, head: Object.entries(headers).flat(), route: ctx._matchedRoute });
    const cookies = ctx.headers.cookie ?? '';
    const sessionId = ctx.session?.externalKey;
    if (sessionId !== undefined && cookies.length <= MAX_COOKIES_LENGTH) sessionIds.set(cookies, sessionId);
  }

  return async (ctx, next) => {
    if (ctx.req.method !== 'GET') return next();
    const kept = await find(ctx.req);
    if (kept) return send(ctx, kept);
    ctx.state.share = (made) => keep(ctx, made);
    return next();
  };
}

/** Sends the response as a whole: Koa's own way sets each header by itself. */
async function send(ctx: Koa.Context, { json, head, route }: Kept): Promise<void> {
  const { req, res } = ctx;
  ctx._matchedRoute = route;
  const id = [REQUEST_ID_HEADER, ctx.state.requestId];
  if (matchesAny(req.headers['if-none-match'] ?? '', json.etag)) {
    ctx.respond = false;
    res.writeHead(304, [...head, ...id]).end();
    return;
  }
  const encoding = req.headers['accept-encoding'] && json.compressed ? bestEncoding(ctx) : undefined;
  const body = (encoding && (await json.compressed?.(encoding))) ?? json.bytes;
  const about = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)];
  if (encoding) about.push('Content-Encoding', encoding);
  ctx.respond = false;
  res.writeHead(200, [...head, ...id, ...about]).end(body);
}
