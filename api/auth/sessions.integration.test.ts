import { io } from 'socket.io-client';
import { expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { startTestServer, testServer } from '../test-server.ts';
import { cookieOf, PASSWORD, type Reply } from '../testing/server.ts';

const day = 24 * 3_600_000;

const server = await testServer({ env: { SESSION_KEYS: 'the-key-of-this-very-day,the-key-of-the-day-before' } });

const me = (cookie: string) => server.fetchJson('/api/auth/me', { cookie });
const login = (username: string, options: { cookie?: string; headers?: Record<string, string> } = {}) =>
  server.fetchJson('/api/auth/login', { method: 'POST', json: { username, password: PASSWORD }, ...options });
const setCookie = (reply: Reply) =>
  reply.headers.getSetCookie().find((line) => line.startsWith('mintwatch.sid=')) ?? '';
const idOf = (cookie: string) => /mintwatch\.sid=([^;]+)/.exec(cookie)?.[1] ?? '';

test('the cookie is httpOnly, lax, for a week, and not secure over plain HTTP', async () => {
  await server.register('Flags');
  const line = setCookie(await login('Flags'));
  expect(line).toMatch(/; path=\//);
  expect(line).toMatch(/; httponly/i);
  expect(line).toMatch(/; samesite=lax/i);
  expect(line).not.toMatch(/; secure/i);
  const days = (Date.parse(/expires=([^;]+)/.exec(line)?.[1] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.9);
  expect(days).toBeLessThan(7.1);
});

test('behind a proxy on this machine that says HTTPS the cookie is secure', async () => {
  await server.register('Secured');
  const reply = await login('Secured', { headers: { 'X-Forwarded-Proto': 'https' } });
  expect(setCookie(reply)).toMatch(/; secure/i);
});

test('a proxy on this machine is believed no longer when TRUSTED_PROXIES names others', async () => {
  const elsewhere = await startTestServer({ env: { TRUSTED_PROXIES: '10.0.0.1,10.1.0.0/16' } });
  const json = { username: 'Unsecured', password: PASSWORD };
  const headers = { 'X-Forwarded-Proto': 'https' };
  const reply = await elsewhere.fetchJson('/api/auth/register', { method: 'POST', json, headers });
  await elsewhere.stop();
  expect(setCookie(reply)).not.toMatch(/; secure/i);
});

test('behind a public HTTPS address the cookie is for this host alone and secure, whatever the proxy forwards', async () => {
  const https = await startTestServer({ env: { PUBLIC_URL: 'https://mint.example' } });
  try {
    const json = { username: 'Host only', password: PASSWORD };
    const reply = await https.fetchJson('/api/auth/register', { method: 'POST', json });
    const line = reply.headers.getSetCookie().find((one) => one.startsWith('__Host-mintwatch.sid='));
    expect(line).toMatch(/; secure/i);
    expect(line).toMatch(/; path=\//);
    expect(line).not.toMatch(/; domain/i);
    expect(reply.headers.get('Strict-Transport-Security')).toBe('max-age=15552000');
    const cookie = cookieOf(reply);
    expect((await https.fetchJson('/api/auth/me', { cookie })).status).toBe(200);
    const left = await https.fetchJson('/api/auth/logout', { method: 'POST', cookie });
    expect(left.headers.get('Clear-Site-Data')).toBe('"cache"');
    expect((await https.fetchJson('/api/auth/me', { cookie })).status).toBe(401);
  } finally {
    await https.stop();
  }
});

test('login gives a new id, and the old one is worth nothing', async () => {
  const before = await server.register('Renewed');
  const reply = await login('Renewed', { cookie: before });
  expect(idOf(cookieOf(reply))).not.toBe(idOf(before));
  expect((await me(cookieOf(reply))).status).toBe(200);
  expect((await me(before)).status).toBe(401);
});

test('an id that the visitor brought along is not used (fixation)', async () => {
  await server.register('Fixed');
  const brought = 'mintwatch.sid=11111111-2222-3333-4444-555555555555';
  const reply = await login('Fixed', { cookie: brought });
  expect(idOf(cookieOf(reply))).not.toContain('11111111');
});

test('signed-out visitors leave no session in the store', async () => {
  const count = () => server.connection.collection('sessions').countDocuments();
  const before = await count();
  await server.fetchJson('/api/auth/me');
  await server.fetchJson('/api/tokens');
  await server.fetchJson('/api/auth/login', { method: 'POST', json: { username: 'Nobody', password: PASSWORD } });
  expect(await count()).toBe(before);
});

test.each([
  ['rubbish', '!!!!'],
  ['a forged id', 'mintwatch.sid=00000000-0000-0000-0000-000000000000; mintwatch.sid.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ['no signature', 'mintwatch.sid=00000000-0000-0000-0000-000000000000'],
  ['an empty cookie', 'mintwatch.sid=; mintwatch.sid.sig='],
  ['an operator', 'mintwatch.sid={"$gt":""}'],
  ['percent rubbish', 'mintwatch.sid=%E0%A4%A; mintwatch.sid.sig=%'],
  ['a huge one', `mintwatch.sid=${'x'.repeat(8000)}`],
])('%s in the cookie means signed out [S6-01]', async (_name, cookie) => {
  const reply = await me(cookie);
  expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  expect((await server.fetchJson('/api/tokens', { cookie })).status).toBe(401);
});

test('the signature of another session does not fit [S6-01]', async () => {
  const [one, two] = [await server.register('First one'), await server.register('Second one')];
  const signature = /mintwatch\.sid\.sig=[^;]+/.exec(two)?.[0];
  expect((await me(`mintwatch.sid=${idOf(one)}; ${signature}`)).status).toBe(401);
  expect((await me(one)).status).toBe(200);
});

test('an expired session counts no longer, even before it is swept [S6-01]', async () => {
  const cookie = await server.register('Expired');
  const changed = await server.connection
    .collection<{ _id: string }>('sessions')
    .updateOne({ _id: idOf(cookie) }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
  expect(changed.modifiedCount).toBe(1);
  expect((await me(cookie)).status).toBe(401);
});

test('a session in use is renewed when half of its time is over', async () => {
  const sessions = server.connection.collection<{ _id: string }>('sessions');
  const cookie = await server.register('Renewing');
  expect(setCookie(await me(cookieOf(await login('Renewing'))))).toBe('');
  await almostExpire(cookie);
  expect(idOf(setCookie(await me(cookie)))).toBe(idOf(cookie));
  const renewed = await sessions.findOne({ _id: idOf(cookie) });
  expect(renewed).toHaveProperty('expiresAt');
  expect(Number(renewed && 'expiresAt' in renewed && renewed.expiresAt) - Date.now()).toBeGreaterThan(6 * day);
});

test('a socket does not renew its session: the browser would keep a cookie that ends sooner', async () => {
  const cookie = await server.register('Only listening');
  const expiresAt = await almostExpire(cookie);
  const socket = io(server.url, {
    transports: ['websocket'],
    extraHeaders: { cookie },
    auth: { protocol: PROTOCOL_VERSION },
  });
  await new Promise<void>((resolve) => socket.once('hello', () => resolve()));
  socket.close();
  const session = await server.connection.collection<{ _id: string }>('sessions').findOne({ _id: idOf(cookie) });
  expect(session).toHaveProperty('expiresAt', expiresAt);
});

/** Leaves the session a day. Returns its end. */
async function almostExpire(cookie: string): Promise<Date> {
  const expiresAt = new Date(Date.now() + day);
  await server.connection
    .collection<{ _id: string }>('sessions')
    .updateOne({ _id: idOf(cookie) }, { $set: { expiresAt, 'data._expire': expiresAt.getTime() } });
  return expiresAt;
}

test('sessions and rate limits are swept by TTL indexes', async () => {
  for (const [collection, field] of [
    ['sessions', 'expiresAt'],
    ['rateLimits', 'expire'],
  ] as const) {
    const indexes = await server.connection.collection(collection).indexes();
    expect(indexes.find(({ key }) => field in key)?.expireAfterSeconds).toBe(0);
  }
});

test('a session outlives a restart of the server', async () => {
  const cookie = await server.register('Lasting');
  await server.restart({ env: { SESSION_KEYS: 'an-even-newer-session-key,the-key-of-this-very-day' } });
  const reply = await server.fetchJson('/api/auth/me', { cookie });
  // Signed with the key that is second by now.
  expect(reply.status).toBe(200);
});
