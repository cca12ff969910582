import { io, type Socket } from 'socket.io-client';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { testServer } from '../test-server.ts';

const sockets: Socket[] = [];

const server = await testServer({ env: { PUBLIC_URL: 'http://mint.example' } });
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

const refusalSchema = z.object({ data: z.object({ code: z.string() }).default({ code: 'refused' }) });

/** 'connected', the code of the refusal, or 'refused' without any. */
async function open(
  cookie: string | null,
  headers: Record<string, string> = {},
): Promise<{ socket: Socket; outcome: string }> {
  const socket = io(server.url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { protocol: PROTOCOL_VERSION },
    extraHeaders: { ...headers, ...(cookie === null ? {} : { cookie }) },
  });
  sockets.push(socket);
  const outcome = await new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('connect_error', (error) => resolve(refusalSchema.parse(error).data.code));
  });
  return { socket, outcome };
}

/** Resolves when the server has closed the socket. */
const dropped = (socket: Socket): Promise<string> => new Promise((resolve) => socket.once('disconnect', resolve));

test('the socket takes the session of REST and nothing else [S6-01, L1]', async () => {
  const cookie = await server.register('Listener');
  expect((await open(cookie)).outcome).toBe('connected');
  expect((await open(null)).outcome).toBe('unauthenticated');
  expect((await open(cookie.replace(/sid\.sig=.{5}/, 'sid.sig=AAAAA'))).outcome).toBe('unauthenticated');
});

test('behind a proxy, REST and the socket take the same page for the own one [L1]', async () => {
  const cookie = await server.register('Behind a proxy');
  const logout = (headers: Record<string, string>) =>
    server.fetchJson('/api/auth/logout', { method: 'POST', headers }).then(({ status }) => status);
  const own = { Origin: 'https://mint.example', 'X-Forwarded-Host': 'mint.example' };
  expect([await logout(own), (await open(cookie, own)).outcome]).toEqual([200, 'connected']);
  const foreign = { ...own, Origin: 'https://evil.example' };
  expect([await logout(foreign), (await open(cookie, foreign)).outcome]).toEqual([403, 'refused']);
  // A name of another site that resolves to this server (DNS rebinding).
  const rebound = { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' };
  expect([await logout(rebound), (await open(cookie, rebound)).outcome]).toEqual([421, 'refused']);
  expect(await server.fetchJson('/api/health', { headers: rebound })).toMatchObject({
    status: 421,
    body: { code: 'unknown-host', error: expect.stringContaining('PUBLIC_URL') },
  });
});

test('logout drops the sockets of that session, and no other [L1]', async () => {
  const [one, other] = [await server.register('Two devices'), await server.login('Two devices')];
  const [first, second] = [await open(one), await open(other)];
  const gone = dropped(first.socket);
  await server.fetchJson('/api/auth/logout', { method: 'POST', cookie: one });
  expect(await gone).toBe('io server disconnect');
  expect(second.socket.connected).toBe(true);
  expect((await open(one)).outcome).toBe('unauthenticated');
});

test('a new login drops the sockets of the previous session [L1]', async () => {
  const cookie = await server.register('Again');
  const { socket } = await open(cookie);
  const gone = dropped(socket);
  const json = { username: 'Again', password: 'correct horse' };
  await server.fetchJson('/api/auth/login', { method: 'POST', cookie, json });
  expect(await gone).toBe('io server disconnect');
});

test('an administrator who loses the rights loses the sockets, and may not subscribe to admin topics from then on [L1]', async () => {
  const users = server.connection.collection('users');
  const cookie = await server.register('Demoted');
  await users.updateOne({ username: 'Demoted' }, { $set: { isAdmin: true } });
  const { socket } = await open(cookie);
  expect(await socket.emitWithAck('subscribe', { topic: 'admin' })).toEqual({ ok: true });
  const gone = dropped(socket);
  await users.updateOne({ username: 'Demoted' }, { $set: { isAdmin: false } });
  expect(await gone).toBe('io server disconnect');
  const again = await open(cookie);
  expect(await again.socket.emitWithAck('subscribe', { topic: 'admin' })).toMatchObject({ code: 'forbidden' });
});

test.each<[string, (username: string, id: string) => Promise<unknown>]>([
  [
    'is deactivated',
    (username) => server.connection.collection('users').updateOne({ username }, { $set: { isActive: false } }),
  ],
  [
    'becomes an administrator',
    (username) => server.connection.collection('users').updateOne({ username }, { $set: { isAdmin: true } }),
  ],
  ['is removed', (username) => server.connection.collection('users').deleteOne({ username })],
  [
    'has a session that expires',
    (_username, userId) =>
      server.connection
        .collection('sessions')
        .updateMany({ userId }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
  ],
])('a user who %s loses the sockets [L1]', async (how, end) => {
  const username = `User who ${how}`;
  const { socket } = await open(await server.register(username));
  const user = await server.connection.collection('users').findOne({ username });
  const gone = dropped(socket);
  await end(username, String(user?._id));
  expect(await gone).toBe('io server disconnect');
});
