// long because every test here needs the same queue and the same people.
import { type Connection, Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fakeClock, silentLog } from '../../market/testing/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { broadcastModel } from '../../telegram/broadcast/model.ts';
import { telegramModels } from '../../telegram/links/model.ts';
import type { SendResult } from '../../telegram/sender.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { userModel } from '../../users/model.ts';
import { watchlistsModel } from '../../watchlists/model.ts';
import { type AlertRecord, alertModel, type DeliveryState } from '../model.ts';
import { createAlertStore } from '../store.ts';
import { linkedChat, linksOf, openTestDatabase, storedUser } from '../testing/alerts.ts';
import { createDelivery } from './delivery.ts';
import { createNotificationStats, STATS_FOR } from './notification-stats.ts';
import { CLAIM, createQueue, reasons, TOO_LATE, WAITING_PER_USER } from './queue.ts';

/** Now, since MongoDB removes by its own clock what is too old. */
const clock = fakeClock(Date.now());
let connection: Connection;

beforeAll(async () => {
  connection = await openTestDatabase();
  await ensureIndexes(alertModel(connection));
});
afterAll(() => connection.close());
beforeEach(async () => {
  await alertModel(connection).deleteMany({});
  await telegramModels(connection).links.deleteMany({});
});

/** A user with a chat. */
async function person() {
  const id = await storedUser(connection, clock.now());
  return { id, chatId: await linkedChat(connection, id) };
}
type Person = Awaited<ReturnType<typeof person>>;

let made = 0;
/** Puts a message for the person into the queue, as an alert does. */
async function enqueue(queue: ReturnType<typeof makeQueue>, { id }: Pick<Person, 'id'>, text: string): Promise<void> {
  made += 1;
  const at = new Date(clock.now());
  const telegram = (await queue.deliveries([id], 'New token', at)).get(id) ?? null;
  const record: AlertRecord = {
    _id: new Types.ObjectId(),
    userId: new Types.ObjectId(id),
    type: 'new_token',
    address: addressNumber(made),
    name: null,
    symbol: null,
    text,
    price: null,
    at,
    telegram,
  };
  await alertModel(connection).create(record);
}

const makeQueue = () => createQueue({ connection, links: linksOf(connection) });

/** A process that delivers, to the end of the test. */
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
    lookEvery: 5,
  });
  onTestFinished(() => delivery.stop());
  delivery.start();
  return delivery;
}

/** Texts that ended so, in the order of the queue. */
async function ended(state: DeliveryState, reason: string | null = null): Promise<string[]> {
  const found = await alertModel(connection)
    .find({ 'telegram.state': state, 'telegram.reason': reason })
    .sort({ _id: 1 })
    .lean<AlertRecord[]>();
  return found.map(({ text }) => text);
}

test('turns are fair: nobody waits for somebody else’s many messages, and each user’s come in order', async () => {
  const [busy, other, third] = [await person(), await person(), await person()];
  const queue = makeQueue();
  for (const text of ['a1', 'a2', 'a3', 'a4']) await enqueue(queue, busy, text);
  await enqueue(queue, other, 'b1');
  await enqueue(queue, third, 'c1');
  await enqueue(queue, other, 'b2');
  const sent: string[] = [];
  // One after the other, so that the order can be seen.
  for (let message = await queue.claim([], clock.now()); message; message = await queue.claim([], clock.now())) {
    sent.push(message.text);
    await queue.end(message, { sent: true });
  }
  expect(sent).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('one message of a user is on its way at a time', async () => {
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

test('a chat that has blocked the bot ends what waits for it, and for nobody else', async () => {
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
  await vi.waitFor(async () => expect(await ended('failed', reasons.noChat)).toEqual(['x1', 'x2', 'x3']));
  expect(tried).toHaveLength(2);
});

test('a chat that was unlinked gets nothing more', async () => {
  const one = await person();
  const queue = makeQueue();
  await enqueue(queue, one, 'late');
  await telegramModels(connection).links.deleteMany({});
  deliver(async () => 'sent');
  await vi.waitFor(async () => expect(await ended('failed', reasons.noChat)).toEqual(['late']));
  await enqueue(queue, one, 'none');
  expect(await ended('queued')).toEqual([]);
});

test('while Telegram asks to wait, or is away, the queue waits and goes on by itself', async () => {
  const one = await person();
  await enqueue(makeQueue(), one, 'patient');
  const answers: SendResult[] = [{ failed: 'unavailable', retryAfter: 90 }, { failed: 'unavailable' }];
  let tries = 0;
  let isConnected = false;
  deliver(
    async () => {
      tries += 1;
      return answers.shift() ?? 'sent';
    },
    () => isConnected,
  );
  const restsAt = (count: number) =>
    vi.waitFor(async () => {
      expect(tries).toBe(count);
      expect(await ended('queued')).toEqual(['patient']);
    });
  await restsAt(0);
  isConnected = true;
  await restsAt(1);
  clock.pass(89_000);
  await restsAt(1);
  clock.pass(1_000);
  await restsAt(2);
  clock.pass(60_000);
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['patient']));
  expect(tries).toBe(3);
});

test('a message whose outcome is not known is not sent again', async () => {
  const one = await person();
  const queue = makeQueue();
  await enqueue(queue, one, 'lost answer');
  let tries = 0;
  deliver(async () => {
    tries += 1;
    return { failed: 'unavailable', maybeSent: true };
  });
  await vi.waitFor(async () => expect(await ended('failed', reasons.unknown)).toEqual(['lost answer']));
  expect(tries).toBe(1);
});

test('what a process claimed that died is not sent again either', async () => {
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
  await vi.waitFor(async () => expect(await ended('failed', reasons.unknown)).toEqual(['claimed']));
  // Too late to say otherwise.
  if (claimed) await queue.end(claimed, null);
  expect([sent, await ended('queued')]).toEqual([['next'], []]);
});

test('what has waited for an hour is no news any more, and no user has more than so many waiting', async () => {
  const one = await person();
  const queue = makeQueue();
  const texts = Array.from({ length: WAITING_PER_USER + 2 }, (_, index) => `message ${index}`);
  for (const text of texts) await enqueue(queue, one, text);
  expect(await ended('queued')).toEqual(texts.slice(0, WAITING_PER_USER));
  expect(await ended('failed', reasons.tooMany)).toEqual(texts.slice(WAITING_PER_USER));
  clock.pass(TOO_LATE + 1);
  deliver(
    async () => 'sent',
    () => false,
  );
  await vi.waitFor(async () => expect(await ended('failed', reasons.tooLate)).toHaveLength(WAITING_PER_USER));
});

test('the sent, failed and queued of the last 24 h are counted by template, broadcasts as well [S2.16-04]', async () => {
  const stats = createNotificationStats({ connection, clock });
  const [one, two] = [await person(), await person()];
  const queue = makeQueue();
  await enqueue(queue, one, 'yesterday');
  await queue.claim([], clock.now());
  clock.pass(86_400_001);
  expect(await stats.read()).toEqual([]);
  for (const text of ['a', 'b', 'c']) await enqueue(queue, one, text);
  await enqueue(queue, two, 'd');
  const claimed = await queue.claim([new Types.ObjectId(two.id)], clock.now());
  if (claimed) await queue.end(claimed, { sent: true });
  await queue.claim([new Types.ObjectId(two.id)], clock.now());
  await queue.endAllOf(new Types.ObjectId(two.id), 'gone');
  const at = new Date(clock.now());
  await broadcastModel(connection).create({
    _id: new Types.ObjectId(),
    at,
    total: 9,
    sent: 4,
    failed: 2,
    endedAt: null,
  });
  expect(await stats.read()).toEqual([]);
  clock.pass(STATS_FOR);
  expect(await stats.read()).toEqual([
    { template: 'New token', sent: 1, failed: 1, queued: 2 },
    { template: 'Broadcast', sent: 4, failed: 2, queued: 3 },
  ]);
});

test('who was deactivated or has blacklisted the token while a message waited gets nothing', async () => {
  const [inactive, refusing, other] = [await person(), await person(), await person()];
  const queue = makeQueue();
  for (const [one, text] of [
    [inactive, 'to nobody'],
    [refusing, 'unwanted'],
    [other, 'wanted'],
  ] as const)
    await enqueue(queue, one, text);
  await userModel(connection).updateOne({ _id: new Types.ObjectId(inactive.id) }, { $set: { isActive: false } });
  const { address } = await alertModel(connection).findOne({ text: 'unwanted' }).orFail();
  const black = [{ address, addedAt: new Date(clock.now()) }];
  await watchlistsModel(connection).create({ _id: new Types.ObjectId(refusing.id), black });
  const sent: string[] = [];
  deliver(async (_chatId, text) => {
    sent.push(text);
    return 'sent';
  });
  await vi.waitFor(async () => expect(await ended('failed', reasons.unwanted)).toEqual(['to nobody', 'unwanted']));
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['wanted']));
  expect(sent).toEqual(['wanted']);
});

test('a chat that has to rest by itself holds up nobody else', async () => {
  const [slow, other] = [await person(), await person()];
  const queue = makeQueue();
  await enqueue(queue, slow, 'slow');
  for (const text of ['a', 'b', 'c']) await enqueue(queue, other, text);
  let tries = 0;
  let isWell = false;
  deliver(async (chatId) => {
    if (chatId !== slow.chatId || isWell) return 'sent';
    tries += 1;
    return { failed: 'unavailable', retryAfter: 300, onlyThisChat: true };
  });
  await vi.waitFor(async () => expect(await ended('sent')).toEqual(['a', 'b', 'c']));
  await vi.waitFor(async () => expect(await ended('queued')).toEqual(['slow']));
  expect(tries).toBe(1);
  isWell = true;
  clock.pass(300_000);
  await vi.waitFor(async () => expect(await ended('sent')).toHaveLength(4));
});

test('whoever asks for the counts while they are made waits for the same ones, however long it takes', async () => {
  const stats = createNotificationStats({ connection, clock });
  const first = stats.read();
  clock.pass(STATS_FOR);
  expect(stats.read()).toBe(first);
  await first;
});
