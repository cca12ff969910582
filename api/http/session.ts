import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import { type Connection, type Model, Schema } from 'mongoose';
import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { createRecentReads } from '../platform/recent-reads.ts';
import { addressKey } from './limits/rate-limits.ts';

/** A distinct name, since programs on all ports of this host share one cookie jar. */
export const SESSION_COOKIE = 'mintwatch.sid';
/** Its name behind HTTPS: with this prefix a browser takes it from this host alone, and only with `Secure`. */
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}` as const;
/** Lifetime of a session after its last renewal, ms; koa-session renews it after half of this. */
const SESSION_AGE = 7 * DAY;
/**
 * Within this time (ms) a session and its user are read once: requests come in bursts. A command that ends sessions or
 * changes rights beside the server waits as long, so that nothing counts any more when it ends.
 */
export const SESSION_READ_MAX_AGE = SECOND;
/** Sessions kept that long, and at most. */
const MAX_RECENT = 10_000;
/** A session ends this long after its login, however often it is renewed, ms (OWASP ASVS 3.3.2). */
const ABSOLUTE_LIMIT = { user: 30 * DAY, admin: 12 * HOUR };
/** Time between two updates of `lastUsedAt`, ms: an update on each request would double the writes. */
const USE_RECORD_INTERVAL = 5 * MINUTE;
/** Longest stored user agent; the rest names no other browser. */
const AGENT_MAX = 300;

/** A stored session; `_id` is the random part of the cookie, useless without its signature. */
export interface SessionRecord {
  _id: string;
  /** The user's `_id`, as a hexadecimal string. */
  userId: string;
  /** The state of koa-session: the user and its own bookkeeping. */
  data: Record<string, unknown>;
  /** TTL. */
  expiresAt: Date;
  /** Time of the login. */
  createdAt: Date;
  /** Time of the last request, accurate to `USE_RECORD_INTERVAL`. */
  lastUsedAt: Date;
  /** Address of the login (`addressKey`), and the browser's `User-Agent`, cut; null without one. */
  address: string;
  agent: string | null;
  /** Time when the user last proved their identity in this session: at the login, or later by `confirm`. */
  confirmedAt: Date;
}

export interface SessionData {
  userId: string;
  /** Time of the login, epoch ms. */
  since: number;
}

/** Returns the latest end of a session (epoch ms), even when it is used until then. */
export function sessionEnd(since: number, isAdmin: boolean): number {
  return since + (isAdmin ? ABSOLUTE_LIMIT.admin : ABSOLUTE_LIMIT.user);
}

/** The `ctx.session` of koa-session 7, whose own types declare `any`. */
interface AppSession extends Partial<SessionData> {
  readonly externalKey: string | undefined;
  regenerate(): Promise<void>;
}

declare module 'koa' {
  interface DefaultContext {
    get session(): AppSession | null;
    set session(value: SessionData | null);
  }
  interface DefaultState {
    /** True while a login is storing its session, the only time a session may be created. */
    signingIn?: boolean;
    /** True for a request without a response: its session must not be renewed, since its cookie cannot be. */
    hasNoResponse?: boolean;
  }
}

const sessionSchema = new Schema<SessionRecord>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    data: { type: Schema.Types.Mixed, required: true },
    expiresAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    address: { type: String, required: true },
    agent: { type: String, default: null },
    confirmedAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'sessions' },
);
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// Sessions of a user, newest first.
sessionSchema.index({ userId: 1, createdAt: -1 });

export function sessionModel(connection: Connection): Model<SessionRecord> {
  return connection.model<SessionRecord>('Session', sessionSchema);
}

/** The sessions of a database as koa-session reads and writes them. */
export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * Loads the session of the request's cookie, and saves or removes it at the end. `isHttps`: browsers reach the server by HTTPS
 * only.
 */
export function sessionMiddleware(app: Koa, store: SessionStore, isHttps = false): Koa.Middleware {
  return createSession(
    {
      key: isHttps ? SECURE_SESSION_COOKIE : SESSION_COOKIE,
      maxAge: SESSION_AGE,
      httpOnly: true,
      signed: true,
      sameSite: 'lax',
      renew: true,
      store,
      // `secure` stays unset: Koa then decides by the request, so that HTTP on 127.0.0.1 works too. Behind HTTPS every request
      // counts as secure (`trustProxies`).
    },
    app,
  );
}

interface StoreContext {
  ctx?: Koa.Context;
}

/**
 * Creates the store of these sessions. A session is read at most once in `SESSION_READ_MAX_AGE`, and again after it was
 * renewed or ended.
 */
export function createSessionStore(sessions: Model<SessionRecord>, clock: Clock) {
  const recent = createRecentReads((id) => sessions.findById(id).lean<SessionRecord>().exec(), {
    maxAge: SESSION_READ_MAX_AGE,
    max: MAX_RECENT,
    clock: performance,
  });

  /** Stores the time of this use. The address of a request without a response is not resolved. */
  async function recordUse(id: string, ctx: Koa.Context | undefined): Promise<void> {
    const from = ctx && !ctx.state.hasNoResponse ? { address: addressKey(ctx.ip) } : {};
    await sessions.updateOne({ _id: id }, { $set: { lastUsedAt: new Date(clock.now()), ...from } });
    recent.drop(id);
  }

  /** Returns a session that can be used as it is; null when it has ended, or its use or renewal is to be stored. */
  function usable(found: SessionRecord | null | undefined): SessionData | null {
    const now = clock.now();
    if (!found || now - found.lastUsedAt.getTime() >= USE_RECORD_INTERVAL) return null;
    const { userId, since } = found.data;
    // koa-session renews it from half of its age on.
    if (found.expiresAt.getTime() - now <= SESSION_AGE / 2 || typeof since !== 'number') return null;
    return { userId: String(userId), since };
  }

  return {
    async get(id: string, _maxAge: unknown, { ctx }: StoreContext): Promise<unknown> {
      const found = await recent.get(id);
      const now = clock.now();
      // The TTL index removes late; an expired session must not be found meanwhile.
      if (!found || found.expiresAt.getTime() <= now) return undefined;
      if (now - found.lastUsedAt.getTime() >= USE_RECORD_INTERVAL) await recordUse(id, ctx);
      return { ...found.data };
    },
    async set(id: string, data: Record<string, unknown>, maxAge: number, { ctx }: StoreContext): Promise<void> {
      if (ctx?.state.hasNoResponse) return;
      const now = clock.now();
      const since = typeof data.since === 'number' ? data.since : now;
      const expiresAt = new Date(Math.min(now + maxAge, sessionEnd(since, false)));
      const renewed = { userId: String(data.userId), data, expiresAt };
      if (ctx?.state.signingIn === true) {
        const times = { createdAt: new Date(since), lastUsedAt: new Date(now), confirmedAt: new Date(now) };
        const from = { address: addressKey(ctx.ip), agent: ctx.get('User-Agent').slice(0, AGENT_MAX) || null };
        await sessions.updateOne({ _id: id }, { $set: { ...renewed, ...times, ...from } }, { upsert: true });
      } else {
        // Without `upsert`, so that a renewal that overtakes a logout does not restore the session.
        await sessions.updateOne({ _id: id }, { $set: renewed });
      }
      recent.drop(id);
    },
    async destroy(id: string): Promise<void> {
      await sessions.deleteOne({ _id: id });
      // Afterwards: a read that began before could still have found it.
      recent.drop(id);
    },
    peek: {
      /** Resolves with the session when it can be used as it is, else null. */
      get: async (id: string): Promise<SessionData | null> => usable(await recent.get(id)),
      /** Returns the same without a read; null also when it has to be read. */
      known: (id: string): SessionData | null => usable(recent.known(id)),
    },
    /** Makes the next request read the session again: to be called after its record was changed or deleted elsewhere. */
    drop: recent.drop,
  };
}

/** Stores a session that began at `since` (epoch ms) under a new id, and ends the session of the request. */
export async function beginSession(ctx: Koa.Context, session: SessionData): Promise<void> {
  ctx.state.signingIn = true;
  ctx.session = session;
  await ctx.session?.regenerate();
  // Stored now: the save at the end of the request must not restore it when it was ended meanwhile.
  ctx.state.signingIn = false;
}

/**
 * Reads the session of a request that Koa does not serve, such as a socket handshake: the same middleware runs with a
 * discarded response, so signature, lookup and expiry are the same code as for HTTP.
 */
export async function readSession(
  app: Koa,
  session: Koa.Middleware,
  request: IncomingMessage,
): Promise<{ sessionId: string; userId: string; since: number } | null> {
  const ctx = app.createContext(request, new ServerResponse(request));
  ctx.state.hasNoResponse = true;
  let found: { sessionId: string; userId: string; since: number } | null = null;
  await session(ctx, async () => {
    const { userId, since, externalKey } = ctx.session ?? {};
    if (!userId || !since || !externalKey) return;
    // A copy: the cookie's value is a slice of its header, which would stay in memory for as long as the socket has the id.
    found = { sessionId: Buffer.from(externalKey).toString(), userId, since };
  });
  return found;
}
