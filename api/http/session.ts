import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import { type Connection, type Model, Schema } from 'mongoose';
import { DAY } from '../../common/time.ts';

/** A distinct name: other programs on this host share the cookie jar, whatever their port. */
export const SESSION_COOKIE = 'mintwatch.sid';
/** Lifetime of a session after its last renewal, ms; koa-session renews it after half of this. */
const SESSION_AGE = 7 * DAY;

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

/** Loads the session of the request's cookie, and saves or removes it at the end. */
export function sessionMiddleware(app: Koa, sessions: Model<SessionRecord>): Koa.Middleware {
  return createSession(
    {
      key: SESSION_COOKIE,
      maxAge: SESSION_AGE,
      httpOnly: true,
      signed: true,
      sameSite: 'lax',
      renew: true,
      store: sessionStore(sessions),
      // `secure` stays unset: Koa then decides by the request, so that HTTP on 127.0.0.1 works too.
    },
    app,
  );
}

interface StoreContext {
  ctx?: Koa.Context;
}

function sessionStore(sessions: Model<SessionRecord>) {
  return {
    async get(id: string): Promise<unknown> {
      // The TTL index removes late; an expired session must not be found meanwhile.
      const found = await sessions.findOne({ _id: id, expiresAt: { $gt: new Date() } }).lean();
      return found?.data;
    },
    async set(id: string, data: Record<string, unknown>, maxAge: number, { ctx }: StoreContext): Promise<void> {
      if (ctx?.state.hasNoResponse) return;
      const record = { userId: String(data.userId), data, expiresAt: new Date(Date.now() + maxAge) };
      // Without `upsert`, so that a renewal that overtakes a logout does not restore the session.
      await sessions.updateOne({ _id: id }, { $set: record }, { upsert: ctx?.state.signingIn === true });
    },
    async destroy(id: string): Promise<void> {
      await sessions.deleteOne({ _id: id });
    },
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
