import { beforeEach, expect, test } from 'vitest';
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

/** Everything said before this has arrived when it resolves. */
const settled = () => Promise.all([alice.say('echo', {}), bob.say('echo', {})]);

test('everyone hears the numbered feed from the start [L3]', async () => {
  await server.publisher.publish([updateOf(1), updateOf(2)]);
  await settled();
  expect(alice.seqs()).toEqual([1, 2]);
  expect(bob.seqs()).toEqual([1, 2]);
});

test('only those who asked hear a token, until they leave it [L3]', async () => {
  const topic = rooms.token(address);
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  expect(await alice.say('subscribe', { topic })).toEqual({ ok: true });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
  expect(await alice.say('unsubscribe', { topic })).toEqual({ ok: true });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
  expect(bob.of('token-trades')).toEqual([]);
});

test('who leaves the feed hears it no more [L3]', async () => {
  expect(await alice.say('unsubscribe', { topic: 'tokens' })).toEqual({ ok: true });
  await server.publisher.publish([updateOf(1)]);
  await settled();
  expect(alice.seqs()).toEqual([]);
  expect(bob.seqs()).toEqual([1]);
});

test('a user hears the own room and nobody else’s [L3]', async () => {
  expect(await alice.say('subscribe', { topic: rooms.user('u1') })).toEqual({ ok: true });
  expect(await alice.say('subscribe', { topic: rooms.user('u2') })).toMatchObject({ code: 'forbidden' });
  server.feedLog.relay({ room: rooms.user('u2'), event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([]);
  server.feedLog.relay({ room: rooms.user('u1'), event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
  expect(bob.of('token-trades')).toEqual([]);
});

test('an administrator may hear any user’s room [L3, S6-04]', async () => {
  const root = await server.connect({ session: 'root' });
  expect(await root.say('subscribe', { topic: rooms.user('u1') })).toEqual({ ok: true });
  server.feedLog.relay({ room: rooms.user('u1'), event: 'token-trades', payload: trades });
  server.feedLog.relay({
    room: rooms.user('u2'),
    event: 'token-trades',
    payload: { ...trades, address: addressOf(2) },
  });
  await settled();
  await root.say('echo', {});
  expect(root.of('token-trades')).toEqual([trades]);
});

test.each(['admin', 'diagnostics'])('only administrators hear %s [L3]', async (topic) => {
  const root = await server.connect({ session: 'root' });
  expect(await alice.say('subscribe', { topic })).toMatchObject({
    error: "You don't have permission to access this resource",
    code: 'forbidden',
  });
  expect(await root.say('subscribe', { topic })).toEqual({ ok: true });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: trades });
  await settled();
  await root.say('echo', {});
  expect(root.of('token-trades')).toEqual([trades]);
  expect(alice.of('token-trades')).toEqual([]);
});

test.each([
  ['a topic nobody knows', 'subscribe', [{ topic: 'everything' }], 'unknown-topic'],
  ['a token that is no address', 'subscribe', [{ topic: 'token:nope' }], 'unknown-topic'],
  ['a room of Socket.IO’s own', 'unsubscribe', [{ topic: 'x'.repeat(20) }], 'unknown-topic'],
  ['no topic', 'subscribe', [{}], 'invalid-input'],
  ['a topic that is no text', 'subscribe', [{ topic: 7 }], 'invalid-input'],
  ['a field nobody knows', 'subscribe', [{ topic: 'tokens', admin: true }], 'invalid-input'],
  ['nothing', 'subscribe', [], 'invalid-input'],
  ['null', 'subscribe', [null], 'invalid-input'],
  ['two inputs', 'subscribe', [{ topic: 'tokens' }, { topic: 'admin' }], 'invalid-input'],
  ['binary', 'subscribe', [Buffer.from('tokens')], 'invalid-input'],
  ['binary inside', 'subscribe', [{ topic: Buffer.from('tokens') }], 'invalid-input'],
  ['a place that is no place', 'replay', [{ epoch: '', seq: -1 }], 'invalid-input'],
  ['an event nobody knows', 'launch', [{}], 'unknown-event'],
  ['an event of the server', 'token-updates', [{ seq: 1 }], 'unknown-event'],
  ['a member of every object', 'constructor', [{}], 'unknown-event'],
  ['the prototype', '__proto__', [{}], 'unknown-event'],
  ['an error', 'error', [{}], 'unknown-event'],
])('%s is answered by an error [L3]', async (_case, event, inputs, code) => {
  expect(await alice.say(event, ...inputs)).toEqual(expect.objectContaining({ code, error: expect.any(String) }));
});

test('an error names the field [L3]', async () => {
  expect(await alice.say('replay', { epoch: 'e', seq: 'x' })).toMatchObject({ details: { seq: [expect.any(String)] } });
});

test('an error is short and in words for people, however much is wrong [L3]', async () => {
  expect(await alice.say('replay', { epoch: 5 })).toMatchObject({
    details: { epoch: ['must be text'], seq: ['is required'] },
  });
  const many = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`field${index}`, 1]));
  expect(JSON.stringify(await alice.say('echo', many)).length).toBeLessThan(5000);
});

test('an event without an ack does what it says and harms nobody [L3]', async () => {
  const untyped: { emit(event: string, ...args: unknown[]): unknown } = alice.socket;
  untyped.emit('subscribe', { topic: rooms.token(address) });
  untyped.emit('subscribe');
  untyped.emit('nothing');
  await settled();
  server.feedLog.relay({ room: rooms.token(address), event: 'token-trades', payload: trades });
  await settled();
  expect(alice.of('token-trades')).toEqual([trades]);
});

test('a socket follows only so many topics, and may follow others after leaving some [L3]', async () => {
  const topics = [1, 2, 3].map((number) => rooms.token(addressOf(number)));
  for (const topic of topics) expect(await alice.say('subscribe', { topic })).toEqual({ ok: true });
  const fourth = { topic: rooms.token(addressOf(4)) };
  expect(await alice.say('subscribe', fourth)).toMatchObject({ code: 'too-many-requests' });
  expect(await alice.say('subscribe', { topic: topics[0] })).toEqual({ ok: true });
  await alice.say('unsubscribe', { topic: topics[0] });
  expect(await alice.say('subscribe', fourth)).toEqual({ ok: true });
});

test('echo answers at once [P2]', async () => {
  const begin = performance.now();
  expect(await alice.say('echo', {})).toEqual({ ok: true });
  expect(performance.now() - begin).toBeLessThan(500);
});

test('a socket that says too much is told so, then closed; others are not harmed [L3]', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => alice.say('echo', {})));
  expect(answers.filter((answer) => 'ok' in answer).length).toBeGreaterThanOrEqual(40);
  expect(answers.at(-1)).toMatchObject({ code: 'too-many-requests' });
  for (let count = 0; count < 300; count += 1) alice.socket.emit('echo', {}, () => {});
  await expect.poll(() => alice.socket.connected).toBe(false);
  await server.publisher.publish([updateOf(1)]);
  await expect.poll(() => bob.seqs()).toEqual([1]);
});
