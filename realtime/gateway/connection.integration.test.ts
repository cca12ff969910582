import { beforeEach, expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { rooms } from '../../common/live/rooms.ts';
import { updateOf } from '../testing/events.ts';
import { disconnectReason, refusal, startGateway, type TestGateway } from '../testing/gateway.ts';

let server: TestGateway;
beforeEach(async () => {
  server = await startGateway();
  return () => server.stop();
});

test('refuses a socket without a valid session [S6-01, L1]', async () => {
  const stranger = server.client({ session: 'unknown' });
  expect(await refusal(stranger)).toBe('unauthenticated');
  await server.publisher.publish([updateOf(1)]);
  const guest = await server.connect();
  await guest.send('echo', {});
  expect(stranger.received).toEqual([]);
  expect(server.gateway.stats().connections).toBe(1);
});

test('checks the session before the handshake data [L1]', async () => {
  expect(await refusal(server.client({ session: 'unknown', auth: {} }))).toBe('unauthenticated');
});

test('drops all sockets of an ended session at once, and no others [L1]', async () => {
  const [first, second, other] = await Promise.all([
    server.connect(),
    server.connect(),
    server.connect({ session: 'bob' }),
  ]);
  const gone = Promise.all([disconnectReason(first), disconnectReason(second)]);
  server.gateway.endSession('alice');
  expect(await gone).toEqual(['io server disconnect', 'io server disconnect']);
  await server.publisher.publish([updateOf(1)]);
  await expect.poll(() => other.seqs()).toEqual([1]);
  expect([first.seqs(), second.seqs()]).toEqual([[], []]);
  expect(server.gateway.stats().connections).toBe(1);
});

test('a session that ended elsewhere drops its sockets [L1]', async () => {
  const [first, second] = await Promise.all([server.connect(), server.connect({ session: 'bob' })]);
  const gone = disconnectReason(first);
  server.sessions.delete('alice');
  expect(await gone).toBe('io server disconnect');
  expect(second.socket.connected).toBe(true);
});

test('hello carries protocol, position, time and user, before any other event [L2]', async () => {
  await server.publisher.publish([updateOf(1), updateOf(2)]);
  const client = await server.connect();
  const { epoch } = server.publisher.cursor();
  expect(client.received[0]).toMatchObject({ event: 'hello', payload: { protocol: PROTOCOL_VERSION, epoch, seq: 2 } });
  expect(client.received[0]?.payload).toHaveProperty('user', { id: expect.any(String), isAdmin: false });
  expect(client.received[0]?.payload).toHaveProperty('serverTime', expect.closeTo(Date.now(), -4));
  await server.publisher.publish([updateOf(3)]);
  await expect.poll(() => client.seqs()).toEqual([3]);
});

test.each([
  ['another version', { protocol: PROTOCOL_VERSION + 1 }],
  ['an older version', { protocol: PROTOCOL_VERSION - 1 }],
  ['no version', {}],
  ['a version of the wrong type', { protocol: '1' }],
  ['an invalid cursor', { protocol: PROTOCOL_VERSION, epoch: { $gt: '' }, seq: -1 }],
])('refuses %s with the code protocol [L2]', async (_case, auth) => {
  expect(await refusal(server.client({ auth }))).toBe('protocol');
});

test('a client that names no protocol gets the way to connect, and an old page the advice to reload [L2]', async () => {
  const messageOf = ({ socket }: ReturnType<typeof server.client>) =>
    new Promise<string>((resolve) => {
      socket.once('connect_error', ({ message }) => resolve(message));
    });
  expect(await messageOf(server.client({ auth: {} }))).toContain(`auth.protocol ${PROTOCOL_VERSION}`);
  const old = await messageOf(server.client({ auth: { protocol: PROTOCOL_VERSION - 1 } }));
  expect(old).toBe('This page is out of date. Please reload it.');
});

test.each(['https://evil.example', 'null', 'file://'])('refuses a page from %s [L1]', async (origin) => {
  for (const transports of [['websocket'], ['polling']]) {
    const client = server.client({ headers: { origin }, options: { transports } });
    expect(await refusal(client)).toBeNull();
  }
  expect(server.gateway.stats().connections).toBe(0);
});

test('accepts a page of the same origin [L1]', async () => {
  const client = await server.connect({ headers: { origin: server.url } });
  expect(client.socket.connected).toBe(true);
});

test('long-polling delivers the same as WebSocket [L2, L3]', async () => {
  const [polling, upgrading, websocket] = await Promise.all([
    server.connect({ options: { transports: ['polling'] } }),
    server.connect({ options: { transports: ['polling', 'websocket'] } }),
    server.connect(),
  ]);
  expect(await polling.send('subscribe', { topic: 'nothing' })).toMatchObject({ code: 'unknown-topic' });
  await vi.waitFor(() => expect(upgrading.socket.io.engine.transport.name).toBe('websocket'));
  for (let number = 1; number <= 20; number += 1) await server.publisher.publish([updateOf(number)]);
  for (const client of [polling, upgrading, websocket]) await expect.poll(() => client.seqs().length).toBe(20);
  expect(polling.received.slice(1)).toEqual(websocket.received.slice(1));
  expect(upgrading.received.slice(1)).toEqual(websocket.received.slice(1));
});

test('a client has no room of its own besides the rooms it may join [L3]', async () => {
  const client = await server.connect();
  expect(client.socket.id).toBeTruthy();
  expect(server.gateway.hasMembers(client.socket.id ?? '')).toBe(false);
});

test('hasMembers returns whether a room has members [L3]', async () => {
  expect(server.gateway.hasMembers(rooms.tokens)).toBe(false);
  const client = await server.connect();
  expect(server.gateway.hasMembers(rooms.tokens)).toBe(true);
  client.socket.disconnect();
  await expect.poll(() => server.gateway.hasMembers(rooms.tokens)).toBe(false);
});

test('closing makes clients reconnect, and accepts no new ones meanwhile', async () => {
  const [websocket, polling] = await Promise.all([
    server.connect(),
    server.connect({ options: { transports: ['polling'] } }),
  ]);
  const gone = Promise.all([disconnectReason(websocket), disconnectReason(polling)]);
  await server.gateway.close();
  // socket.io-client does not reconnect after 'io server disconnect'.
  expect(await gone).toEqual([expect.stringMatching(/^transport/), expect.stringMatching(/^transport/)]);
  expect(server.gateway.stats().connections).toBe(0);
  expect(await refusal(server.client())).toBeNull();
});
