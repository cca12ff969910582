import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { ensureIndexes } from '../platform/database.ts';
import { broadcastModel } from '../telegram/broadcast/model.ts';
import { testConnection } from '../testing/database.ts';
import { type Explained, expectIndexed, explainer } from '../testing/explain.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { createNotificationStats } from './delivery/notification-stats.ts';
import { createQueue, type Queue } from './delivery/queue.ts';
import { createHeldBack } from './limit/held-back.ts';
import { loadYoungTokens } from './matching/bootstrap.ts';
import { createMatcher } from './matching/matcher.ts';
import { createSubscriberReader } from './matching/subscribers.ts';
import { createWatchBaselines, type WatchBaselines } from './matching/watch-baselines.ts';
import { type AlertRecord, alertModel } from './model.ts';
import { type AlertStore, createAlertStore } from './store.ts';
import { linksOf } from './testing/alerts.ts';

const USER = '64b0000000000000000000a1';
const now = Date.now();
const clock = { now: () => now };
const ignored = { found: () => true, isFull: () => false, onFirstPrice: () => {} };

const connection = await testConnection({ monitorCommands: true });
let explained: Explained;
let store: AlertStore;
let queue: Queue;
let watched: WatchBaselines;

beforeAll(async () => {
  const alerts = alertModel(connection);
  await ensureIndexes(alerts);
  await ensureIndexes(broadcastModel(connection));
  await ensureIndexes(tokenModels(connection).tokens);
  await alerts.insertMany([existing]);
  await alerts.insertMany(Array.from({ length: 300 }, (_, number) => alert(number)));
  await tokenModels(connection).tokens.insertMany([1, 2, 3].map((number) => tokenRecord(number)));
  const at = new Date(now);
  await broadcastModel(connection).create({ at, total: 1, sent: 1, failed: 0, endedAt: at });
  explained = explainer(connection);
  store = createAlertStore(connection);
  queue = createQueue({ connection, links: linksOf(connection) });
  watched = createWatchBaselines(connection);
});

function alert(number: number): AlertRecord {
  const at = new Date(now - number * 1_000);
  const states = ['queued', 'sending', 'sent', 'failed'] as const;
  const state = states[number % states.length] ?? 'sent';
  const claimedUntil = state === 'sending' ? at : null;
  const telegram = { state, template: 'New token', turn: number, at, claimedUntil, reason: null, note: null };
  return {
    _id: new Types.ObjectId(),
    userId: number % 5 === 0 ? new Types.ObjectId(USER) : new Types.ObjectId(),
    type: number % 2 === 0 ? 'new_token' : 'price_alert',
    address: addressNumber(number),
    ref: null,
    name: null,
    symbol: null,
    text: 'text',
    figures: null,
    price: null,
    place: number,
    at,
    telegram: number % 3 === 0 ? null : telegram,
  };
}

const existing = alert(1);

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

test.each<[string, () => Promise<unknown>]>([
  ['the list of a user', () => store.list(USER, 20)],
  ['users who may be alerted', () => store.allowed(addressNumber(1), [USER])],
  ['alerts stored before', () => store.insert([existing, alert(2)])],
  ['places of an hour', () => store.placesTaken([USER], 0)],
  ['alerts held back', () => createHeldBack(connection).ofLastHour([USER], now)],
  ['earlier alerts', () => all(store.earlier({ since: now - 60_000, before: now, limit: 100 }))],
  ['a new user', () => createSubscriberReader(connection).byId(USER)],
  ['young tokens', () => loadYoungTokens({ connection, store, now, matcher: createMatcher({ clock, ...ignored }) })],
  ['resetting the prices of watched tokens', () => watched.resetPrices(USER)],
  ['watched tokens of a user', () => watched.setPresentPrices(USER, 'all', now)],
  ['queued messages of a user', () => queue.messages([USER], 'New token', new Date(now))],
  ['outcomes of messages', () => createNotificationStats({ connection, clock }).read()],
  ['the next message', () => queue.claim([new Types.ObjectId()], now)],
  ['ending the messages of a user', () => queue.endAllOf(new Types.ObjectId(USER), 'gone')],
  ['expired messages', () => queue.expire(now)],
  ['a first price', () => watched.setFirstPrice(addressNumber(1), 1, now, [USER])],
  ['an alert about a watched token', () => watched.markAlerted(addressNumber(1), now, [USER])],
])('reads %s by an index, without sorting', async (_name, run) => {
  expectIndexed(await explained.plans(run, { changes: true }));
});

test('counts the last day without reading an alert', async () => {
  const [plan] = await explained.plans(() => createNotificationStats({ connection, clock }).read());
  expect(plan).not.toContain('FETCH');
});
