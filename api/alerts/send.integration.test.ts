import { Types } from 'mongoose';
import { expect, test, vi } from 'vitest';
import { MINUTE } from '../../common/time.ts';
import { telegramModels } from '../telegram/links.ts';
import type { SendResult } from '../telegram/sender.ts';
import { userModel } from '../users/model.ts';
import { watchlistsModel } from '../watchlists/model.ts';
import { alertModel } from './model.ts';
import { MAX_AGE, TOKEN_MAX_AGE } from './send.ts';
import { failures } from './store.ts';
import { emptyMessages } from './testing/messages.ts';

const { clock, connection, ended, enqueue, makeDelivery, person, store } = await emptyMessages();
const REF = '64b0000000000000000000f1';
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000 });

test('no user waits for the many messages of another, and each user’s are sent in order', async () => {
  const [busy, other, third] = [await person(), await person(), await person()];
  const sent: string[] = [];
  const delivery = makeDelivery(async (_chatId, text) => {
    sent.push(text);
    // The first messages of all three are handed over before one of them ends.
    await vi.waitUntil(() => sent.length >= 3, { interval: 1 });
    return 'sent';
  });
  for (const text of ['a1', 'a2', 'a3', 'a4']) await enqueue(delivery, busy, text);
  await enqueue(delivery, other, 'b1');
  await enqueue(delivery, third, 'c1');
  await enqueue(delivery, other, 'b2');
  await delivery.start();
  await until(async () => expect(await ended('sent')).toHaveLength(7));
  expect(new Set(sent.slice(0, 3))).toEqual(new Set(['a1', 'b1', 'c1']));
  const of = (user: string) => sent.filter((text) => text.startsWith(user));
  expect([of('a'), of('b')]).toEqual([
    ['a1', 'a2', 'a3', 'a4'],
    ['b1', 'b2'],
  ]);
});

test('sends an alert about an own trade before alerts about tokens that wait, of its user and of others', async () => {
  const [trader, ...others] = await Promise.all(Array.from({ length: 80 }, person));
  if (trader === undefined) throw new Error('no trader');
  const sent: string[] = [];
  const delivery = makeDelivery(async (_chatId, text) => {
    sent.push(text);
    return 'sent';
  });
  for (const one of [...others, trader, trader]) await enqueue(delivery, one, 'token');
  await enqueue(delivery, trader, 'own trade', REF);
  await delivery.start();
  await until(() => expect(sent).toContain('own trade'));
  // Among the first that are handed to Telegram at the same time.
  expect(sent.indexOf('own trade')).toBeLessThan(30);
  await until(async () => expect(await ended('sent')).toHaveLength(82));
});

test('marking a message as being sent again returns its alert, since the first response may be lost', async () => {
  const id = await enqueue(makeDelivery(), await person(), 'text');
  expect(await store.begin(id)).toMatchObject({ telegram: { state: 'sending' } });
  expect(await store.begin(id)).toMatchObject({ telegram: { state: 'sending' } });
  await store.end(id, 'sending', 'sent');
  expect(await store.begin(id)).toBeNull();
});

test('sends one message of a user at a time', async () => {
  const one = await person();
  const sent: string[] = [];
  let atOnce = 0;
  const delivery = makeDelivery(async (chatId, text) => {
    expect(chatId).toBe(one.chatId);
    atOnce += 1;
    expect(atOnce).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    sent.push(text);
    return 'sent';
  });
  for (const text of ['first', 'second', 'third']) await enqueue(delivery, one, text);
  await delivery.start();
  await until(() => expect(sent).toEqual(['first', 'second', 'third']));
  await until(async () => expect(await ended('sent')).toHaveLength(3));
});

test('a chat that blocked the bot ends the messages that wait for it, and no others', async () => {
  const [blocking, other] = [await person(), await person()];
  const tried: string[] = [];
  const delivery = makeDelivery(async (chatId, text) => {
    tried.push(text);
    if (chatId !== blocking.chatId) return 'sent';
    await telegramModels(connection).links.updateOne({ chatId }, { $set: { goneAt: new Date() } });
    return { failed: 'blocked' };
  });
  for (const text of ['x1', 'x2', 'x3']) await enqueue(delivery, blocking, text);
  await enqueue(delivery, other, 'y1');
  await delivery.start();
  await until(async () => expect(await ended('sent')).toEqual(['y1']));
  await until(async () => expect(await ended('failed', failures.noChat)).toEqual(['x1', 'x2', 'x3']));
  expect(tried).toHaveLength(2);
});

test('an unlinked chat receives nothing more', async () => {
  const one = await person();
  const delivery = makeDelivery();
  await enqueue(delivery, one, 'late');
  await telegramModels(connection).links.deleteMany({});
  await delivery.start();
  await until(async () => expect(await ended('failed', failures.noChat)).toEqual(['late']));
  await enqueue(delivery, one, 'none');
  expect(await alertModel(connection).findOne({ text: 'none' }).lean()).toMatchObject({ telegram: null });
});

test('messages wait while Telegram requests a pause or is unavailable, and are then sent', async () => {
  const one = await person();
  const results: SendResult[] = [{ failed: 'unavailable', retryAfter: 90 }, { failed: 'unavailable' }];
  let tries = 0;
  let isConnected = false;
  const delivery = makeDelivery(
    async () => {
      tries += 1;
      return results.shift() ?? 'sent';
    },
    { isConnected: () => isConnected },
  );
  await enqueue(delivery, one, 'patient');
  await delivery.start();
  const waitsAfter = (count: number) =>
    until(async () => {
      expect(tries).toBe(count);
      expect(await ended('queued')).toEqual(['patient']);
    });
  await waitsAfter(0);
  isConnected = true;
  await waitsAfter(1);
  clock.pass(89_000);
  await waitsAfter(1);
  clock.pass(1_000);
  await waitsAfter(2);
  clock.pass(60_000);
  await until(async () => expect(await ended('sent')).toEqual(['patient']));
  expect(tries).toBe(3);
});

test('a message with an unknown outcome is not sent again', async () => {
  const one = await person();
  let tries = 0;
  const delivery = makeDelivery(async () => {
    tries += 1;
    return { failed: 'unavailable', maybeSent: true };
  });
  await enqueue(delivery, one, 'lost response');
  await delivery.start();
  await until(async () => expect(await ended('failed', failures.unknown)).toEqual(['lost response']));
  expect(tries).toBe(1);
});

test('a message is stored as being sent before it is sent, and one that a dead process was sending is not sent again', async () => {
  const one = await person();
  let states: string[] = [];
  let respond = () => {};
  const responded = new Promise<SendResult>((resolve) => (respond = () => resolve('sent')));
  // The process dies while the message is on its way: its outcome is not stored.
  const dying = makeDelivery(async () => {
    states = await ended('sending');
    return responded;
  });
  await enqueue(dying, one, 'on its way');
  await dying.start();
  await until(() => expect(states).toEqual(['on its way']));

  const sent: string[] = [];
  const next = makeDelivery(async (_chatId, text) => {
    sent.push(text);
    return 'sent';
  });
  await enqueue(next, one, 'next');
  await next.start();
  await until(async () => expect(await ended('sent')).toEqual(['next']));
  respond();
  await dying.stop();
  expect(await ended('failed', failures.unknown)).toEqual(['on its way']);
  expect(sent).toEqual(['next']);
});

test('a start sends the messages of the last two minutes, and those about own trades of the last hour', async () => {
  const [one, other] = [await person(), await person()];
  const died = makeDelivery();
  await enqueue(died, one, 'old trade', REF);
  clock.pass(MAX_AGE - TOKEN_MAX_AGE);
  await enqueue(died, one, 'trade of the hour', REF.replace('f1', 'f2'));
  await enqueue(died, other, 'old token');
  clock.pass(MINUTE);
  await enqueue(died, other, 'new token');
  clock.pass(MINUTE + 1);
  const sent: string[] = [];
  const next = makeDelivery(async (_chatId, text) => {
    sent.push(text);
    return 'sent';
  });
  await next.start();
  await until(async () => expect(await ended('sent')).toEqual(['trade of the hour', 'new token']));
  expect(await ended('failed', failures.tooLate)).toEqual(['old trade', 'old token']);
  expect(new Set(sent)).toEqual(new Set(['trade of the hour', 'new token']));
});

test('a message that waits for the bot expires after an hour, and the messages that wait are limited', async () => {
  const one = await person();
  const delivery = makeDelivery(undefined, { isConnected: () => false, waitingMax: 3 });
  for (const text of ['a', 'b', 'c', 'd']) await enqueue(delivery, one, text);
  expect(await ended('queued')).toEqual(['a', 'b', 'c']);
  expect(await ended('failed', failures.tooMany)).toEqual(['d']);
  await delivery.start();
  clock.pass(MAX_AGE + 1);
  await until(async () => expect(await ended('failed', failures.tooLate)).toEqual(['a', 'b', 'c']));
  await until(async () => {
    const messages = await delivery.messages([one.id], 'New token', new Date(clock.now()));
    expect(messages.get(one.id)).toMatchObject({ state: 'queued' });
  });
});

test('sends nothing to a user who was deactivated or blacklisted the token while the message waited', async () => {
  const [inactive, refusing, other] = [await person(), await person(), await person()];
  const sent: string[] = [];
  const delivery = makeDelivery(async (_chatId, text) => {
    sent.push(text);
    return 'sent';
  });
  await enqueue(delivery, inactive, 'inactive');
  const unwanted = await enqueue(delivery, refusing, 'unwanted');
  await enqueue(delivery, other, 'wanted');
  await userModel(connection).updateOne({ _id: new Types.ObjectId(inactive.id) }, { $set: { isActive: false } });
  const { address } = await alertModel(connection).findById(unwanted).orFail();
  const black = [{ address: address ?? '', addedAt: new Date(clock.now()) }];
  await watchlistsModel(connection).create({ _id: new Types.ObjectId(refusing.id), black });
  await delivery.start();
  await until(async () => expect(await ended('failed', failures.unwanted)).toEqual(['inactive', 'unwanted']));
  await until(async () => expect(await ended('sent')).toEqual(['wanted']));
  expect(sent).toEqual(['wanted']);
});

test('a chat paused on its own delays no other chat', async () => {
  const [slow, other] = [await person(), await person()];
  let tries = 0;
  let hasRecovered = false;
  const delivery = makeDelivery(async (chatId) => {
    if (chatId !== slow.chatId || hasRecovered) return 'sent';
    tries += 1;
    return { failed: 'unavailable', retryAfter: 300, onlyThisChat: true };
  });
  await enqueue(delivery, slow, 'slow');
  for (const text of ['a', 'b', 'c']) await enqueue(delivery, other, text);
  await delivery.start();
  await until(async () => expect(await ended('sent')).toEqual(['a', 'b', 'c']));
  await until(async () => expect(await ended('queued')).toEqual(['slow']));
  expect(tries).toBe(1);
  hasRecovered = true;
  clock.pass(300_000);
  await until(async () => expect(await ended('sent')).toHaveLength(4));
});

test('a stop leaves the messages that wait for the next start', async () => {
  const one = await person();
  const delivery = makeDelivery();
  await enqueue(delivery, one, 'waiting');
  await delivery.stop();
  const next = makeDelivery();
  expect(await ended('queued')).toEqual(['waiting']);
  await next.start();
  await until(async () => expect(await ended('sent')).toEqual(['waiting']));
});
