import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import { updateOf } from '../testing/events.ts';
import { disconnectReason, refusal, startGateway, type TestGateway } from '../testing/gateway.ts';
import { rawClient } from '../testing/raw-client.ts';
import type { GatewayDeps } from './gateway.ts';

let server: TestGateway;
afterEach(() => server.stop());

const start = async (deps: Partial<GatewayDeps>) => {
  server = await startGateway(deps);
};

test('while the database is away new clients are asked to retry and present ones stay [L1]', async () => {
  const user = { id: 'u1', username: 'alice', isAdmin: false, hasSecondFactor: false };
  const authenticate = vi.fn(async () => ({ user, sessionId: 'alice' }));
  const aliveSessions = vi.fn(async (ids: string[]) => new Set(ids));
  await start({ authenticate, aliveSessions, limits: { sessionCheckMs: 10 } });
  const client = await server.connect();
  authenticate.mockRejectedValue(new Error('the database is away'));
  aliveSessions.mockRejectedValue(new Error('the database is away'));
  const checksBefore = aliveSessions.mock.calls.length;
  expect(await refusal(server.client())).toBe('unavailable');
  await expect.poll(() => aliveSessions.mock.calls.length).toBeGreaterThan(checksBefore + 3);
  await server.publisher.publish([updateOf(1)]);
  await expect.poll(() => client.seqs()).toEqual([1]);
});

test('an expected outage of the database is not logged with each check and handshake', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const authenticate = vi.fn(async () => ({
    user: { id: 'u1', username: 'alice', isAdmin: false, hasSecondFactor: false },
    sessionId: 'alice',
  }));
  const aliveSessions = vi.fn<() => Promise<Set<string>>>().mockRejectedValue(new PublicError('unavailable'));
  await start({ authenticate, aliveSessions, log, limits: { sessionCheckMs: 10 } });
  await server.connect();
  authenticate.mockRejectedValueOnce(new PublicError('unavailable'));
  expect(await refusal(server.client())).toBe('unavailable');
  await expect.poll(() => aliveSessions.mock.calls.length).toBeGreaterThan(3);
  expect(lines).toEqual([]);
  aliveSessions.mockRejectedValue(new Error('something else'));
  await expect.poll(() => lines.join()).toContain('session check failed');
});

test('checks all sessions with one call [L1]', async () => {
  const aliveSessions = vi.fn(async (ids: string[], _admins: ReadonlySet<string>) => new Set(ids));
  await start({ aliveSessions, limits: { sessionCheckMs: 20 } });
  await Promise.all([
    server.connect(),
    server.connect(),
    server.connect({ session: 'bob' }),
    server.connect({ session: 'root' }),
  ]);
  aliveSessions.mockClear();
  await expect.poll(() => aliveSessions.mock.calls.length).toBeGreaterThan(1);
  for (const [ids, admins] of aliveSessions.mock.calls) {
    expect([...ids].sort()).toEqual(['alice', 'bob', 'root']);
    // The response covers rights that changed since.
    expect(admins).toEqual(new Set(['root']));
  }
});

test('checks do not pile up, and a check concerns only the sessions it was started with [L1]', async () => {
  const pending: ((alive: Set<string>) => void)[] = [];
  const aliveSessions = vi.fn(() => new Promise<Set<string>>((resolve) => pending.push(resolve)));
  await start({ aliveSessions, limits: { sessionCheckMs: 5 } });
  const client = await server.connect();
  await expect.poll(() => pending.length).toBe(1);
  const newcomer = await server.connect({ session: 'bob' });
  await newcomer.send('echo', {});
  expect(pending.length).toBe(1);
  const gone = disconnectReason(client);
  pending[0]?.(new Set());
  await gone;
  expect(newcomer.socket.connected).toBe(true);
});

test('limits the connections of a user, and admits another after one closed [L1]', async () => {
  await start({ limits: { connectionsPerUser: 2 } });
  const [first] = await Promise.all([server.connect(), server.connect()]);
  expect(await refusal(server.client())).toBe('too-many-requests');
  await server.connect({ session: 'bob' });
  first.socket.disconnect();
  await expect.poll(() => server.gateway.stats().connections).toBe(2);
  await server.connect();
});

test('limits the connections of an address [L1]', async () => {
  await start({ limits: { connectionsPerAddress: 2 } });
  const [first] = await Promise.all([server.connect(), server.connect({ session: 'bob' })]);
  expect(await refusal(server.client({ session: 'root' }))).toBeNull();
  first.socket.disconnect();
  await expect.poll(() => server.gateway.stats().connections).toBe(1);
  await server.connect({ session: 'root' });
});

test('counts by the client’s address behind a proxy [L1]', async () => {
  const clientAddress = ({ headers }: IncomingMessage) => String(headers['x-forwarded-for']);
  await start({ clientAddress, limits: { connectionsPerAddress: 1 } });
  await server.connect({ headers: { 'x-forwarded-for': '203.0.113.1' } });
  expect(await refusal(server.client({ headers: { 'x-forwarded-for': '203.0.113.1' } }))).toBeNull();
  await server.connect({ headers: { 'x-forwarded-for': '203.0.113.2' } });
});

test('closes the oldest connection of an address without a handshake for a new one, and no member [L1]', async () => {
  await start({ limits: { waitingPerAddress: 3 } });
  const member = await server.connect();
  const open = () => rawClient(server.port, { isConnecting: false });
  const idle = [await open(), await open(), await open()];
  const gone = idle.map(({ websocket }) => once(websocket, 'close'));
  await server.connect({ session: 'bob' });
  await gone[0];
  await server.publisher.publish([updateOf(1)]);
  await expect.poll(() => member.seqs()).toEqual([1]);
  expect(idle.map(({ websocket }) => websocket.readyState === websocket.OPEN)).toEqual([false, true, true]);
  await open();
  await open();
  await gone[1];
  expect(idle[2]?.websocket.readyState).toBe(idle[2]?.websocket.OPEN);
});

test('refuses further connections of an address while all of its waiting ones are being identified [L1]', async () => {
  const user = { id: 'u1', username: 'alice', isAdmin: false, hasSecondFactor: false };
  let identify: () => void = () => {};
  const identified = new Promise<void>((resolve) => {
    identify = resolve;
  });
  const authenticate = vi.fn(async () => {
    await identified;
    return { user, sessionId: 'alice' };
  });
  await start({ authenticate, limits: { waitingPerAddress: 2 } });
  const [first, second] = [server.connect(), server.connect()];
  await expect.poll(() => authenticate.mock.calls.length).toBe(2);
  await expect(rawClient(server.port, { isConnecting: false })).rejects.toThrow('400');
  identify();
  await Promise.all([first, second]);
  await server.connect();
});

test('limits the connections in total [L1]', async () => {
  await start({ limits: { connections: 1 } });
  await server.connect();
  expect(await refusal(server.client({ session: 'bob' }))).toBeNull();
});

test('refused connections do not count for the user [L1]', async () => {
  await start({ limits: { connectionsPerUser: 2 } });
  for (let round = 0; round < 5; round += 1) {
    expect(await refusal(server.client({ auth: { protocol: 99 } }))).toBe('protocol');
  }
  await server.connect();
});
