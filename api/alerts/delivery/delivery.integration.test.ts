import { Types } from 'mongoose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../../market/testing/market.ts';
import { telegramModels } from '../../telegram/links/model.ts';
import type { SendResult } from '../../telegram/sender.ts';
import { userModel } from '../../users/model.ts';
import { watchlistsModel } from '../../watchlists/model.ts';
import { type AlertRecord, alertModel, type DeliveryState } from '../model.ts';
import { createAlertStore } from '../store.ts';
import { linksOf } from '../testing/alerts.ts';
import { emptyQueue } from '../testing/empty-queue.ts';
import { createDelivery } from './delivery.ts';
import { CLAIM, failures, MAX_AGE, QUEUED_PER_USER } from './queue.ts';

const { clock, connection, enqueue, makeQueue, person } = await emptyQueue();

/** Starts a delivery that runs to the end of the test. */
function deliver(send: (chatId: string, text: string) => Promise<SendResult>, isConnected = () => true) {
  const queue = makeQueue();
  const links = linksOf(connection);
  const delivery = createDelivery({
    queue,
    links,
    store: createAlertStore(connection),
    sender: { send },
    isConnected,
    clock,
    random: () => 0.5,
    log: silentLog,
    pollInterval: 5,
  });
  onTestFinished(() => delivery.stop());
  delivery.start();
  return delivery;
}

/** Returns the texts in this state, in the order of the queue. */
async function ended(state: DeliveryState, reason: string | null = null): Promise<string[]> {
  const found = await alertModel(connection)
    .find({ 'telegram.state': state, 'telegram.reason': reason })
    .sort({ _id: 1 })
    .lean<AlertRecord[]>();
  return found.map(({ text }) => text);
}

test('serves users in turn, so that none waits for the many messages of another, and each user’s in order', async () => {
  const [busy, other, third] = [await person(), await person(), await person()];
  const queue = makeQueue();
  for (const text of ['a1', 'a2', 'a3', 'a4']) await enqueue(queue, busy, text);
  await enqueue(queue, other, 'b1');
  await enqueue(queue, third, 'c1');
  await enqueue(queue, other, 'b2');
  const sent: string[] = [];
  for (let message = await queue.claim([], clock.now()); message; message = await queue.claim([], clock.now())) {
    sent.push(message.text);
    await queue.end(message, { sent: true });
  }
  expect(sent).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('sends one message of a user at a time', async () => {
  const one = await person();
  const queue = makeQueue();
  for (const text of ['first', 'second', 'third']) await enqueue(queue, one, text);
  const sent: string[] = [];
  let atOnce = 0;
  deliver(async (chatId, text) => {
    expect(chatId).toBe(one.chatId);
    atOnce += 1;
    expect(atOnce).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    sent.push(text);
    return 'sent';
  });
  await vi.waitFor(() => expect(sent).toEqual(['first', 'second', 'third']));
  await vi.waitFor(async () => expect(await ended('sent')).toHaveLength(3));
});

test('a chat that blocked the bot ends the messages queued for it, and no others', async () => {
  const [blocking, other] = [await person(), await person()];
  const queue = makeQueue();
  for (const text of ['x1', 'x2', 'x3']) await enqueue(queue, blocking, text);
  await enqueue(queue, other, 'y1');
  const tried: string[] = [];
  deliver(async (chatId, text) => {
    tried.push(text);
    return chatId === blocking.chatId ? { failed: 'blocked' } : 'sent';
  });
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['y1']));
  await vi.waitFor(async () => expect(await ended('failed', failures.noChat)).toEqual(['x1', 'x2', 'x3']));
  expect(tried).toHaveLength(2);
});

test('an unlinked chat receives nothing more', async () => {
  const one = await person();
  const queue = makeQueue();
  await enqueue(queue, one, 'late');
  await telegramModels(connection).links.deleteMany({});
  deliver(async () => 'sent');
  await vi.waitFor(async () => expect(await ended('failed', failures.noChat)).toEqual(['late']));
  await enqueue(queue, one, 'none');
  expect(await ended('queued')).toEqual([]);
});

test('the queue waits while Telegram requests a pause or is unavailable, and then continues', async () => {
  const one = await person();
  await enqueue(makeQueue(), one, 'patient');
  const results: SendResult[] = [{ failed: 'unavailable', retryAfter: 90 }, { failed: 'unavailable' }];
  let tries = 0;
  let isConnected = false;
  deliver(
    async () => {
      tries += 1;
      return results.shift() ?? 'sent';
    },
    () => isConnected,
  );
  const waitsAfter = (count: number) =>
    vi.waitFor(async () => {
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
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['patient']));
  expect(tries).toBe(3);
});

test('a message with an unknown outcome is not sent again', async () => {
  const one = await person();
  const queue = makeQueue();
  await enqueue(queue, one, 'lost response');
  let tries = 0;
  deliver(async () => {
    tries += 1;
    return { failed: 'unavailable', maybeSent: true };
  });
  await vi.waitFor(async () => expect(await ended('failed', failures.unknown)).toEqual(['lost response']));
  expect(tries).toBe(1);
});

test('a message claimed by a process that died is not sent again', async () => {
  const one = await person();
  const queue = makeQueue();
  await enqueue(queue, one, 'claimed');
  const claimed = await queue.claim([], clock.now());
  await enqueue(queue, one, 'next');
  const sent: string[] = [];
  deliver(async (_chatId, text) => {
    sent.push(text);
    return 'sent';
  });
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['next']));
  expect(await ended('sending')).toEqual(['claimed']);
  clock.pass(CLAIM + 1);
  await vi.waitFor(async () => expect(await ended('failed', failures.unknown)).toEqual(['claimed']));
  // The claim has expired.
  if (claimed) await queue.end(claimed, null);
  expect([sent, await ended('queued')]).toEqual([['next'], []]);
});

test('a message expires after an hour, and the queued messages of a user are limited', async () => {
  const one = await person();
  const queue = makeQueue();
  const texts = Array.from({ length: QUEUED_PER_USER + 2 }, (_, index) => `message ${index}`);
  for (const text of texts) await enqueue(queue, one, text);
  expect(await ended('queued')).toEqual(texts.slice(0, QUEUED_PER_USER));
  expect(await ended('failed', failures.tooMany)).toEqual(texts.slice(QUEUED_PER_USER));
  clock.pass(MAX_AGE + 1);
  deliver(
    async () => 'sent',
    () => false,
  );
  await vi.waitFor(async () => expect(await ended('failed', failures.tooLate)).toHaveLength(QUEUED_PER_USER));
});

test('sends nothing to a user who was deactivated or blacklisted the token while the message waited', async () => {
  const [inactive, refusing, other] = [await person(), await person(), await person()];
  const queue = makeQueue();
  for (const [one, text] of [
    [inactive, 'inactive'],
    [refusing, 'unwanted'],
    [other, 'wanted'],
  ] as const)
    await enqueue(queue, one, text);
  await userModel(connection).updateOne({ _id: new Types.ObjectId(inactive.id) }, { $set: { isActive: false } });
  const { address } = await alertModel(connection).findOne({ text: 'unwanted' }).orFail();
  const black = [{ address: address ?? '', addedAt: new Date(clock.now()) }];
  await watchlistsModel(connection).create({ _id: new Types.ObjectId(refusing.id), black });
  const sent: string[] = [];
  deliver(async (_chatId, text) => {
    sent.push(text);
    return 'sent';
  });
  await vi.waitFor(async () => expect(await ended('failed', failures.unwanted)).toEqual(['inactive', 'unwanted']));
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['wanted']));
  expect(sent).toEqual(['wanted']);
});

test('a chat paused on its own delays no other chat', async () => {
  const [slow, other] = [await person(), await person()];
  const queue = makeQueue();
  await enqueue(queue, slow, 'slow');
  for (const text of ['a', 'b', 'c']) await enqueue(queue, other, text);
  let tries = 0;
  let hasRecovered = false;
  deliver(async (chatId) => {
    if (chatId !== slow.chatId || hasRecovered) return 'sent';
    tries += 1;
    return { failed: 'unavailable', retryAfter: 300, onlyThisChat: true };
  });
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['a', 'b', 'c']));
  await vi.waitFor(async () => expect(await ended('queued')).toEqual(['slow']));
  expect(tries).toBe(1);
  hasRecovered = true;
  clock.pass(300_000);
  await vi.waitFor(async () => expect(await ended('sent')).toHaveLength(4));
});
