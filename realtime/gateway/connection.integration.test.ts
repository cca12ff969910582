import { beforeEach, expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { rooms } from '../../common/live/rooms.ts';
import { updateOf } from '../testing/events.ts';
import { farewell, refusal, startGateway, type TestGateway } from '../testing/gateway.ts';

let server: TestGateway;
beforeEach(async () => {
  server = await startGateway();
  return () => server.stop();
});

test('without a valid session the socket is refused [S6-01, L1]', async () => {
  const stranger = server.client({ session: 'nobody' });
  expect(await refusal(stranger)).toBe('unauthenticated');
  await server.publisher.publish([updateOf(1)]);
  const guest = await server.connect();
  await guest.say('echo', {});
  expect(stranger.heard).toEqual([]);
  expect(server.gateway.stats().connections).toBe(1);
});

test('a refused client without any handshake is unauthenticated first [L1]', async () => {
  expect(await refusal(server.client({ session: 'nobody', auth: {} }))).toBe('unauthenticated');
});

test('the sockets of a session that ends are dropped at once, all of them and no others [L1]', async () => {
  const [first, second, other] = await Promise.all([
    server.connect(),
    server.connect(),
    server.connect({ session: 'bob' }),
  ]);
  const gone = Promise.all([farewell(first), farewell(second)]);
  server.gateway.endSession('alice');
  expect(await gone).toEqual(['io server disconnect', 'io server disconnect']);
  await server.publisher.publish([updateOf(1)]);
  await expect.poll(() => other.seqs()).toEqual([1]);
  expect([first.seqs(), second.seqs()]).toEqual([[], []]);
  expect(server.gateway.stats().connections).toBe(1);
});

test('a session that ended elsewhere is noticed within 5 s [L1]', async () => {
  const [first, second] = await Promise.all([server.connect(), server.connect({ session: 'bob' })]);
  const gone = farewell(first);
  const begin = Date.now();
  server.sessions.delete('alice');
  expect(await gone).toBe('io server disconnect');
  expect(Date.now() - begin).toBeLessThan(5_000);
  expect(second.socket.connected).toBe(true);
});

test('hello tells protocol, place and time, before anything else [L2]', async () => {
  await server.publisher.publish([updateOf(1), updateOf(2)]);
  const client = await server.connect();
  const { epoch } = server.publisher.cursor();
  expect(client.heard[0]).toMatchObject({ event: 'hello', payload: { protocol: PROTOCOL_VERSION, epoch, seq: 2 } });
  expect(client.heard[0]?.payload).toHaveProperty('serverTime', expect.closeTo(Date.now(), -4));
  await server.publisher.publish([updateOf(3)]);
  await expect.poll(() => client.seqs()).toEqual([3]);
});

test.each([
  ['another version', { protocol: PROTOCOL_VERSION + 1 }],
  ['an older version', { protocol: PROTOCOL_VERSION - 1 }],
  ['no version', {}],
  ['a version that is no number', { protocol: '1' }],
  ['a cursor that is no cursor', { protocol: PROTOCOL_VERSION, epoch: { $gt: '' }, seq: -1 }],
])('%s is refused as protocol [L2]', async (_case, auth) => {
  expect(await refusal(server.client({ auth }))).toBe('protocol');
});

test.each(['https://evil.example', 'null', 'file://'])('a page from %s gets no socket [L1]', async (origin) => {
  for (const transports of [['websocket'], ['polling']]) {
    const client = server.client({ headers: { origin }, options: { transports } });
    expect(await refusal(client)).toBeNull();
  }
  expect(server.gateway.stats().connections).toBe(0);
});

test('the own page gets a socket [L1]', async () => {
  const client = await server.connect({ headers: { origin: server.url } });
  expect(client.socket.connected).toBe(true);
});

test('long-polling works as WebSocket does [L2, L3]', async () => {
  const [polling, upgrading, websocket] = await Promise.all([
    server.connect({ options: { transports: ['polling'] } }),
    server.connect({ options: { transports: ['polling', 'websocket'] } }),
    server.connect(),
  ]);
  expect(await polling.say('subscribe', { topic: 'nothing' })).toMatchObject({ code: 'unknown-topic' });
  await vi.waitFor(() => expect(upgrading.socket.io.engine.transport.name).toBe('websocket'));
  for (let number = 1; number <= 20; number += 1) await server.publisher.publish([updateOf(number)]);
  for (const client of [polling, upgrading, websocket]) await expect.poll(() => client.seqs().length).toBe(20);
  expect(polling.heard.slice(1)).toEqual(websocket.heard.slice(1));
  expect(upgrading.heard.slice(1)).toEqual(websocket.heard.slice(1));
});

test('listens knows whether a room is heard [L3]', async () => {
  expect(server.gateway.listens(rooms.tokens)).toBe(false);
  const client = await server.connect();
  expect(server.gateway.listens(rooms.tokens)).toBe(true);
  client.socket.disconnect();
  await expect.poll(() => server.gateway.listens(rooms.tokens)).toBe(false);
});

test('closing says good-bye in a way that makes clients come back, and lets nobody in meanwhile', async () => {
  const [websocket, polling] = await Promise.all([
    server.connect(),
    server.connect({ options: { transports: ['polling'] } }),
  ]);
  const gone = Promise.all([farewell(websocket), farewell(polling)]);
  await server.gateway.close();
  // socket.io-client does not reconnect after 'io server disconnect'.
  expect(await gone).toEqual([expect.stringMatching(/^transport/), expect.stringMatching(/^transport/)]);
  expect(server.gateway.stats().connections).toBe(0);
  expect(await refusal(server.client())).toBeNull();
});
