import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { ensureIndexes } from '../platform/database.ts';
import { broadcastModel } from '../telegram/broadcast.ts';
import { testConnection } from '../testing/database.ts';
import { type Explained, expectIndexed, explainer } from '../testing/explain.ts';
import { addressNumber, nothingLive, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { loadYoungTokens } from './matching/bootstrap.ts';
import { createMatcher } from './matching/matcher.ts';
import { createSubscriberReader } from './matching/subscribers.ts';
import { createWatchBaselines, type WatchBaselines } from './matching/watch-baselines.ts';
import { type AlertRecord, alertModel } from './model.ts';
import { createNotificationStats } from './notification-stats.ts';
import { type AlertStore, createAlertStore } from './store.ts';

const USER = '64b0000000000000000000a1';
const now = Date.now();
const clock = { now: () => now };
const ignored = { found: () => true, onFirstPrice: () => {} };
const room = async () => {};

const connection = await testConnection({ monitorCommands: true });
let explained: Explained;
let store: AlertStore;
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
  watched = createWatchBaselines(connection, nothingLive);
});

function alert(number: number): AlertRecord {
  const at = new Date(now - number * 1_000);
  const states = ['queued', 'sending', 'sent', 'failed'] as const;
  const state = states[number % states.length] ?? 'sent';
  const telegram = { state, template: 'New token', at, reason: null, note: null };
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
    at,
    telegram: number % 3 === 0 ? null : telegram,
    cause: null,
    webhook: null,
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
  ['alerts of an hour', () => store.countByUser(now - 60_000)],
  ['alerts of an hour by preset', () => store.countByRule(now - 60_000)],
  ['alerts of an hour by all presets of a user', () => store.countOfPresetsByUser(now - 60_000)],
  ['matches that have their alert', () => store.causedBy(addressNumber(1), [{ ruleId: USER, userId: USER }])],
  ['earlier alerts', () => all(store.earlier({ since: now - 60_000, before: now, limit: 100 }))],
  ['a new user', () => createSubscriberReader(connection).byId(USER)],
  [
    'young tokens',
    () => loadYoungTokens({ connection, store, now, room, matcher: createMatcher({ clock, ...ignored }) }),
  ],
  ['resetting the prices of watched tokens', () => watched.resetPrices(USER)],
  ['watched tokens of a user', () => watched.setPresentPrices(USER, 'all', now)],
  ['outcomes of messages', () => createNotificationStats({ connection, clock }).read()],
  ['a message to send', () => store.begin(existing._id)],
  ['the end of a message', () => store.end(existing._id, 'sending', 'sent')],
  ['messages that an earlier process left', () => store.recover({ own: now - 60_000, token: now - 30_000 })],
  ['a first price', () => watched.setFirstPrice(addressNumber(1), 1, now, [USER])],
  ['an alert about a watched token', () => watched.markAlerted(addressNumber(1), now, [USER])],
])('reads %s by an index, without sorting', async (_name, run) => {
  expectIndexed(await explained.plans(run, { changes: true }));
});

test('counts the last day without reading an alert', async () => {
  const [plan] = await explained.plans(() => createNotificationStats({ connection, clock }).read());
  expect(plan).not.toContain('FETCH');
});
