import { expect, test } from 'vitest';
import { testServer } from '../test-server.ts';
import { type Person, person, socketOf, tabOf } from '../testing/people.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';

const address = addressNumber(1);

const server = await testServer();
await tokenModels(server.connection).tokens.create(tokenRecord(1));
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');

const watch = (who: Person) => who.call(`/api/watchlists/watch/${address}`, { method: 'PUT' });
const unwatch = (who: Person) => who.call(`/api/watchlists/watch/${address}`, { method: 'DELETE' });

test('the room of a user is closed to others [S6-04]', async () => {
  const socket = await socketOf(server, bob);
  const received: unknown[] = [];
  socket.on('user-data', (change) => received.push(change));
  expect(await socket.emitWithAck('subscribe', { topic: `user:${alice.id}` })).toMatchObject({ code: 'forbidden' });
  await watch(alice);
  await unwatch(alice);
  await socket.emitWithAck('echo', {});
  expect(received).toEqual([]);
});

test('an administrator receives the events of any user’s room, which is recorded, and loses it with the rights [S6-04]', async () => {
  const chief = await person(server, 'Chief', { isAdmin: true });
  const tab = await tabOf(server, { ...chief, id: alice.id });
  expect(tab.ack).toEqual({ ok: true });
  const { body } = await alice.call(`/api/users/${alice.id}/audit`);
  const look = expect.objectContaining({ action: 'user-looked-up', actor: 'Chief', object: 'live changes' });
  expect(body).toMatchObject({ entries: expect.arrayContaining([look]) });
  expect(await tab.socket.emitWithAck('subscribe', { topic: 'user:no-id' })).toMatchObject({ code: 'unknown-topic' });
  await watch(alice);
  await expect.poll(() => tab.received).toMatchObject([{ subject: 'watchlists', op: 'saved', item: { address } }]);

  const gone = new Promise<void>((resolve) => tab.socket.once('disconnect', () => resolve()));
  await server.connection.collection('users').updateOne({ username: 'Chief' }, { $set: { isAdmin: false } });
  await gone;
  const again = await tabOf(server, { ...chief, id: alice.id });
  expect(again.ack).toMatchObject({ code: 'forbidden' });
  await unwatch(alice);
  await again.settled();
  expect([tab.received.length, again.received]).toEqual([1, []]);
});
