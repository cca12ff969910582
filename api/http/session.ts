import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import { type Connection, type Model, Schema } from 'mongoose';
import { DAY, SECOND } from '../../common/time.ts';
import { createRecentReads } from '../platform/recent-reads.ts';

/** A distinct name: other programs on this host share the cookie jar, whatever their port. */
export const SESSION_COOKIE = 'mintwatch.sid';
/** Lifetime of a session after its last renewal, ms; koa-session renews it after half of this. */
const SESSION_AGE = 7 * DAY;
/**
 * Within this time (ms) a session and its user are read once: requests come in bursts. A command that ends sessions or
 * changes rights beside the server waits as long, so that nothing counts any more when it ends.
 */
export const SESSION_READ_MAX_AGE = SECOND;
/** Sessions kept that long, and at most. */
const MAX_RECENT = 10_000;

/** A stored session; `_id` is the random part of the cookie, useless without its signature. */
export interface SessionRecord {
  _id: string;
  /** The user's `_id`, as a hexadecimal string. */
  userId: string;
  /** The state of koa-session: the user and its own bookkeeping. */
  data: Record<string, unknown>;
  /** TTL. */
  expiresAt: Date;
}

export interface SessionData {
  userId: string;
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
  },
  { versionKey: false, collection: 'sessions' },
);
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
sessionSchema.index({ userId: 1 });

export function sessionModel(connection: Connection): Model<SessionRecord> {
  return connection.model<SessionRecord>('Session', sessionSchema);
}

/** The sessions of a database as koa-session reads and writes them. */
export interface SessionStore {
  get(id: string): Promise<unknown>;
  set(id: string, data: Record<string, unknown>, maxAge: number, options: StoreContext): Promise<void>;
  destroy(id: string): Promise<void>;
  /** Makes the next request read the session again: to be called after its record was changed or deleted elsewhere. */
  drop(id: string): void;
}

/** Loads the session of the request's cookie, and saves or removes it at the end. */
export function sessionMiddleware(app: Koa, store: SessionStore): Koa.Middleware {
  return createSession(
    {
      key: SESSION_COOKIE,
      maxAge: SESSION_AGE,
      httpOnly: true,
      signed: true,
      sameSite: 'lax',
      renew: true,
      store,
      // `secure` stays unset: Koa then decides by the request, so that HTTP on 127.0.0.1 works too.
    },
    app,
  );
}

interface StoreContext {
  ctx?: Koa.Context;
}

/** Creates the store of these sessions. A session is read at most once in `SESSION_READ_MAX_AGE`, and again after it was renewed or ended. */
export function createSessionStore(sessions: Model<SessionRecord>): SessionStore {
  const recent = createRecentReads((id) => sessions.findById(id).lean<SessionRecord>().exec(), {
    maxAge: SESSION_READ_MAX_AGE,
    max: MAX_RECENT,
    clock: performance,
  });
  return {
    async get(id) {
      const found = await recent.get(id);
      // The TTL index removes late; an expired session must not be found meanwhile.
      return found && found.expiresAt.getTime() > Date.now() ? { ...found.data } : undefined;
    },
    async set(id, data, maxAge, { ctx }) {
      if (ctx?.state.hasNoResponse) return;
      const record = { userId: String(data.userId), data, expiresAt: new Date(Date.now() + maxAge) };
      // Without `upsert`, so that a renewal that overtakes a logout does not restore the session.
      await sessions.updateOne({ _id: id }, { $set: record }, { upsert: ctx?.state.signingIn === true });
      recent.drop(id);
    },
    async destroy(id) {
      await sessions.deleteOne({ _id: id });
      // Afterwards: a read that began before could still have found it.
      recent.drop(id);
    },
    drop: recent.drop,
  };
}

/** Stores a session of `userId` under a new id, and ends the session of the request. */
export async function beginSession(ctx: Koa.Context, userId: string): Promise<void> {
  ctx.state.signingIn = true;
  ctx.session = { userId };
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
): Promise<{ sessionId: string; userId: string } | null> {
  const ctx = app.createContext(request, new ServerResponse(request));
  ctx.state.hasNoResponse = true;
  let found: { sessionId: string; userId: string } | null = null;
  await session(ctx, async () => {
    const { userId, externalKey } = ctx.session ?? {};
    if (userId && externalKey) found = { sessionId: externalKey, userId };
  });
  return found;
}
