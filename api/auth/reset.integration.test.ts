import Router from '@koa/router';
import Koa from 'koa';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { errorBody } from '../http/errors.ts';
import { createSessionStore, sessionMiddleware, sessionModel } from '../http/session.ts';
import { testConnection } from '../testing/database.ts';
import { PASSWORD } from '../testing/server.ts';
import { type UserRecord, userModel } from '../users/model.ts';
import { openUsers } from '../users/service.ts';
import { authRoutes } from './routes.ts';

const connection = await testConnection({ autoIndex: true });

const users = await openUsers(connection, { now: Date.now });

/** What `npm run admin -- reset-password` does. */
async function reset({ _id }: UserRecord): Promise<void> {
  await users.setPassword(_id, 'another horse');
  await sessionModel(connection).deleteMany({ userId: _id.toHexString() });
}

/** What switching two-step login on does: its sessions end afterwards. */
async function switchOn({ _id }: UserRecord): Promise<void> {
  const secondFactor = { sealed: 'AAAA', since: new Date(), lastStep: 0, recovery: [] };
  await userModel(connection).updateOne({ _id }, { $set: { secondFactor } });
  await sessionModel(connection).deleteMany({ userId: _id.toHexString() });
}

/** Logs in with the password, while `change` happens once it was found to be right, or once the session was stored. */
async function loginDuring(
  moment: 'verified' | 'stored' | null,
  user: UserRecord,
  change: (user: UserRecord) => Promise<void>,
): Promise<number> {
  const app = new Koa();
  app.keys = ['a key that signs'];
  app.use(errorBody(pino({ level: 'silent' })));
  const store = createSessionStore(sessionModel(connection), { now: Date.now });
  app.use(sessionMiddleware(app, store));
  app.use(async (_ctx, next) => {
    await next();
    if (moment === 'stored') await change(user);
  });
  const router = new Router();
  const login = async (): Promise<UserRecord> => {
    if (moment === 'verified') await change(user);
    return user;
  };
  authRoutes(router, {
    auth: { login, register: login },
    users,
    userSessions: { trim: async () => {} },
    audit: { record: async () => {} },
    bus: { emit() {} },
    clock: { now: Date.now },
  });
  app.use(router.routes());
  const server = app.listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : null;
    const body = JSON.stringify({ username: user.username, password: PASSWORD });
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(`http://127.0.0.1:${port}/api/auth/login`, { method: 'POST', body, headers })).status;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each([
  ['verified', 401, 0],
  ['stored', 200, 0],
  [null, 200, 1],
] as const)(
  'a login leaves no session behind when the password is reset or two-step login switched on meanwhile: %s',
  async (moment, status, left) => {
    const user = await users.create({ username: `Reset ${moment}`, password: PASSWORD });
    expect(await loginDuring(moment, user, reset)).toBe(status);
    expect(await sessionModel(connection).countDocuments({ userId: user._id.toHexString() })).toBe(left);
    const other = await users.create({ username: `Two steps ${moment}`, password: PASSWORD });
    expect(await loginDuring(moment, other, switchOn)).toBe(status);
    expect(await sessionModel(connection).countDocuments({ userId: other._id.toHexString() })).toBe(left);
  },
);
