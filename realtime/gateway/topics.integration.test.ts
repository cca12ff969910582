import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import { rooms } from '../../common/live/rooms.ts';
import { addressOf, updateOf } from '../testing/events.ts';
import { startGateway, type TestClient, type TestGateway } from '../testing/gateway.ts';

const address = addressOf(1);
const trades = { address, trades: [] };

let server: TestGateway;
let alice: TestClient;
let bob: TestClient;
beforeEach(async () => {
  server = await startGateway({ limits: { topics: 4 } });
  [alice, bob] = await Promise.all([server.connect(), server.connect({ session: 'bob' })]);
  return () => server.stop();
});

/** Resolves when every earlier event has arrived. */
const settled = () => Promise.all([alice.send('echo', {}), bob.send('echo', {})]);

test('every client receives the numbered feed from the start [L3]', async () => {
  await server.publisher.publish([updateOf(1), updateOf(2)]);
  await settled();
  expect(alice.seqs()).toEqual([1, 2]);
  expect(bob.seqs()).toEqual([1, 2]);
});

test('only subscribers of a token receive its events, until they unsubscribe [L3]', async () => {
  const topic = rooms.token(address);
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  expect(await alice.send('subscribe', { topic })).toEqual({ ok: true });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
  expect(await alice.send('unsubscribe', { topic })).toEqual({ ok: true });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
  expect(bob.of('token-trades')).toEqual([]);
});

test('a client that leaves the feed receives no more of it [L3]', async () => {
  expect(await alice.send('unsubscribe', { topic: 'tokens' })).toEqual({ ok: true });
  await server.publisher.publish([updateOf(1)]);
  await settled();
  expect(alice.seqs()).toEqual([]);
  expect(bob.seqs()).toEqual([1]);
});

test('a user may join only their own room [L3]', async () => {
  expect(await alice.send('subscribe', { topic: rooms.user('u1') })).toEqual({ ok: true });
  expect(await alice.send('subscribe', { topic: rooms.user('u2') })).toMatchObject({ code: 'forbidden' });
  server.feedLog.relay({ room: rooms.user('u2'), event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([]);
  server.feedLog.relay({ room: rooms.user('u1'), event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
  expect(bob.of('token-trades')).toEqual([]);
});

test('an administrator may join any user’s room [L3, S6-04]', async () => {
  const root = await server.connect({ session: 'root' });
  expect(await root.send('subscribe', { topic: rooms.user('u1') })).toEqual({ ok: true });
  server.feedLog.relay({ room: rooms.user('u1'), event: 'token-trades', payload: trades });
  server.feedLog.relay({
    room: rooms.user('u2'),
    event: 'token-trades',
    payload: { ...trades, address: addressOf(2) },
  });
  await settled();
  await root.send('echo', {});
  expect(root.of('token-trades')).toEqual([trades]);
});

describe('an administrator in the room of another user', () => {
  const room = rooms.user('u1');
  const other = rooms.user('u2');
  let records: { userId: string; resolve: () => void; reject: (error: Error) => void }[];
  let watched: TestGateway;
  let root: TestClient;
  beforeEach(async () => {
    records = [];
    watched = await startGateway({
      limits: { topics: 3 },
      recordWatch: (_by, _address, userId) =>
        new Promise((resolve, reject) => records.push({ userId, resolve, reject })),
    });
    root = await watched.connect({ session: 'root' });
    return () => watched.stop();
  });
  const isRecording = (count: number) => expect.poll(() => records.length).toBe(count);

  test('joins after it is recorded, in the order of its requests [L3]', async () => {
    const acks = [root.send('subscribe', { topic: room }), root.send('subscribe', { topic: room })];
    expect(await root.send('unsubscribe', { topic: room })).toEqual({ ok: true });
    acks.push(root.send('subscribe', { topic: other }));
    await isRecording(2);
    expect([watched.gateway.hasMembers(room), watched.gateway.hasMembers(other)]).toEqual([false, false]);
    for (const { resolve } of records.toReversed()) resolve();
    expect(await Promise.all(acks)).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect([watched.gateway.hasMembers(room), watched.gateway.hasMembers(other)]).toEqual([false, true]);
    acks.push(root.send('subscribe', { topic: room }));
    await isRecording(3);
    records[2]?.resolve();
    await Promise.all(acks);
    expect(watched.gateway.hasMembers(room)).toBe(true);
    expect(records.map(({ userId }) => userId)).toEqual(['u1', 'u2', 'u1']);
  });

  test('gets an error and joins nothing when it is not recorded, and nothing is recorded beyond its topics [L3]', async () => {
    const failed = root.send('subscribe', { topic: room });
    await isRecording(1);
    records[0]?.reject(new Error('the audit log is full'));
    expect(await failed).toMatchObject({ code: 'internal' });
    const refused = root.send('subscribe', { topic: room });
    await isRecording(2);
    records[1]?.reject(new PublicError('too-many-requests'));
    expect(await refused).toMatchObject({ code: 'too-many-requests' });
    expect(watched.gateway.hasMembers(room)).toBe(false);
    root.socket.emit('subscribe', { topic: room }, () => undefined);
    root.socket.emit('subscribe', { topic: other }, () => undefined);
    await isRecording(4);
    expect(await root.send('subscribe', { topic: rooms.user('u4') })).toMatchObject({ code: 'too-many-requests' });
    root.socket.disconnect();
    await expect.poll(() => watched.gateway.stats().connections).toBe(0);
    for (const { resolve } of records.slice(2)) resolve();
    await watched.connect();
    expect([watched.gateway.hasMembers(room), watched.gateway.hasMembers(other)]).toEqual([false, false]);
    expect(records).toHaveLength(4);
  });
});

test.each(['admin', 'diagnostics'])('only administrators may join %s [L3]', async (topic) => {
  const root = await server.connect({ session: 'root' });
  expect(await alice.send('subscribe', { topic })).toMatchObject({
    error: "You don't have permission to access this resource",
    code: 'forbidden',
  });
  expect(await root.send('subscribe', { topic })).toEqual({ ok: true });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  await settled();
  await root.send('echo', {});
  expect(root.of('token-trades')).toEqual([trades]);
  expect(alice.of('token-trades')).toEqual([]);
});

test.each([
  ['an unknown topic', 'subscribe', [{ topic: 'everything' }], 'unknown-topic'],
  ['a token with an invalid address', 'subscribe', [{ topic: 'token:nope' }], 'unknown-topic'],
  ['a room of Socket.IO’s own', 'unsubscribe', [{ topic: 'x'.repeat(20) }], 'unknown-topic'],
  ['no topic', 'subscribe', [{}], 'invalid-input'],
  ['a topic of the wrong type', 'subscribe', [{ topic: 7 }], 'invalid-input'],
  ['an unknown field', 'subscribe', [{ topic: 'tokens', admin: true }], 'invalid-input'],
  ['nothing', 'subscribe', [], 'invalid-input'],
  ['null', 'subscribe', [null], 'invalid-input'],
  ['two inputs', 'subscribe', [{ topic: 'tokens' }, { topic: 'admin' }], 'invalid-input'],
  ['binary', 'subscribe', [Buffer.from('tokens')], 'invalid-input'],
  ['binary inside', 'subscribe', [{ topic: Buffer.from('tokens') }], 'invalid-input'],
  ['an invalid position', 'replay', [{ epoch: '', seq: -1 }], 'invalid-input'],
  ['an unknown event', 'launch', [{}], 'unknown-event'],
  ['an event of the server', 'token-updates', [{ seq: 1 }], 'unknown-event'],
  ['a member of every object', 'constructor', [{}], 'unknown-event'],
  ['the prototype', '__proto__', [{}], 'unknown-event'],
  ['an error', 'error', [{}], 'unknown-event'],
])('%s gets an error ack [L3]', async (_case, event, inputs, code) => {
  expect(await alice.send(event, ...inputs)).toEqual(expect.objectContaining({ code, error: expect.any(String) }));
});

test('an error names the field [L3]', async () => {
  expect(await alice.send('replay', { epoch: 'e', seq: 'x' })).toMatchObject({
    details: { seq: [expect.any(String)] },
  });
});

test('an error is short and readable for any amount of invalid input [L3]', async () => {
  expect(await alice.send('replay', { epoch: 5 })).toMatchObject({
    details: { epoch: ['must be text'], seq: ['is required'] },
  });
  const many = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`field${index}`, 1]));
  expect(JSON.stringify(await alice.send('echo', many)).length).toBeLessThan(5000);
});

test('an event without an ack is handled as usual [L3]', async () => {
  const untyped: { emit(event: string, ...args: unknown[]): unknown } = alice.socket;
  untyped.emit('subscribe', { topic: rooms.token(address) });
  untyped.emit('subscribe');
  untyped.emit('nothing');
  await settled();
  server.feedLog.relay({ room: rooms.token(address), event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
});

test('a socket has a limited number of topics, and may join others after leaving some [L3]', async () => {
  const topics = [1, 2, 3].map((number) => rooms.token(addressOf(number)));
  for (const topic of topics) expect(await alice.send('subscribe', { topic })).toEqual({ ok: true });
  const fourth = { topic: rooms.token(addressOf(4)) };
  expect(await alice.send('subscribe', fourth)).toMatchObject({ code: 'too-many-requests' });
  expect(await alice.send('subscribe', { topic: topics[0] })).toEqual({ ok: true });
  await alice.send('unsubscribe', { topic: topics[0] });
  expect(await alice.send('subscribe', fourth)).toEqual({ ok: true });
});

test('echo is acknowledged [P2]', async () => {
  expect(await alice.send('echo', {})).toEqual({ ok: true });
});

test('a socket beyond the rate limit gets errors, then is closed; others are unaffected [L3]', async () => {
  // In one moment: on a busy machine the events take long enough for more to be allowed.
  const moment = Date.now();
  const still = await startGateway({ clock: { now: () => moment } });
  onTestFinished(() => still.stop());
  const [alice, bob] = await Promise.all([still.connect(), still.connect({ session: 'bob' })]);
  const responses = await Promise.all(Array.from({ length: 60 }, () => alice.send('echo', {})));
  expect(responses.filter((response) => 'ok' in response).length).toBeGreaterThanOrEqual(40);
  expect(responses.at(-1)).toMatchObject({ code: 'too-many-requests' });
  for (let count = 0; count < 300; count += 1) alice.socket.emit('echo', {}, () => {});
  await expect.poll(() => alice.socket.connected).toBe(false);
  await still.publisher.publish([updateOf(1)]);
  await expect.poll(() => bob.seqs()).toEqual([1]);
});
