import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fakeClock } from '../market/testing/market.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import { alertModel } from './model.ts';
import { type AlertsProcess, linkedChat, openTestDatabase, startAlerts, storedUser } from './testing/alerts.ts';
import { seeded } from './testing/tokens.ts';

let connection: Connection;

beforeAll(async () => {
  connection = await openTestDatabase();
});
afterAll(() => connection.close());

/** On a busy machine. */
const PATIENCE = { timeout: 10_000 };
const clock = fakeClock(Date.now());
const messages: string[] = [];
const heard: string[] = [];

/** One more life of the server. */
function live(random: () => number): Promise<AlertsProcess> {
  return startAlerts(connection, {
    clock,
    async send(chatId, text) {
      // Now and then Telegram is away.
      if (random() < 0.1) return { failed: 'unavailable', retryAfter: 0.001 };
      messages.push(`${chatId} ${text}`);
      return 'sent';
    },
  });
}

interface Step {
  life: AlertsProcess;
  number: number;
  user: string;
  random: () => number;
  version: number;
}

const steps = {
  async detected({ life, number }: Step) {
    const record = tokenRecord(number, { createdAt: clock.now(), riskScore: 10, price: 1 });
    await tokenModels(connection).tokens.replaceOne({ _id: record._id }, record, { upsert: true });
    await life.publish({ event: 'new-token', payload: { token: presentToken(record) } });
  },
  async moved({ life, number, random, version }: Step) {
    const figures = { price: 0.3 + random() * 2, currentLiquidity: random() * 3, scamProbability: random() * 60 };
    const patches = [{ address: addressNumber(number), version, ...figures }];
    await life.publish({ event: 'token-updates', payload: { at: clock.now(), solUsd: null, patches } });
  },
  async set({ life, user, random }: Step) {
    const thresholds = { minLiquidity: Math.floor(random() * 3), maxRisk: random() * 100 };
    await life.change(user, { ...thresholds, priceChangeAlerts: random() < 0.8 });
  },
  async watched({ life, user, number, random }: Step) {
    const change = life.watchlists[random() < 0.6 ? 'add' : 'remove'](user, 'watch', addressNumber(number));
    // A token that is not there yet can't be watched.
    await change.catch(() => {});
  },
};
const order = ['detected', 'detected', 'detected', 'moved', 'moved', 'moved', 'moved', 'set', 'watched'] as const;

async function liveThrough(seed: number, users: readonly string[]): Promise<void> {
  const random = seeded(seed);
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  };
  const numbers = [0, 1, 2, 3].map((index) => seed * 10 + index);
  let life = await live(random);
  for (let step = 1; step <= 45; step += 1) {
    clock.pass(Math.floor(random() * 2_000));
    await steps[oneOf(order)]({ life, number: oneOf(numbers), user: oneOf(users), random, version: step + 1 });
    if (random() > 0.1) continue;
    if (random() < 0.5) await life.alerts.settled();
    heard.push(...life.told());
    await life.stop();
    life = await live(random);
  }
  await life.alerts.settled();
  await vi.waitFor(async () => {
    clock.pass(10);
    const open = { 'telegram.state': { $in: ['queued' as const, 'sending' as const] } };
    expect(await alertModel(connection).countDocuments(open)).toBe(0);
  }, PATIENCE);
  heard.push(...life.told());
  await life.stop();
}

test('whatever feed, settings, watch lists and restarts do, nobody gets two alerts or messages of one token and type', async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => storedUser(connection, clock.now() - 1_000)));
  for (const user of users) await linkedChat(connection, user);
  for (let seed = 1; seed <= 4; seed += 1) await liveThrough(seed, users);
  expect(heard.length).toBeGreaterThan(20);
  expect(messages.length).toBeGreaterThan(20);
  expect(new Set(heard).size).toBe(heard.length);
  expect(new Set(messages).size).toBe(messages.length);
  expect(await alertModel(connection).countDocuments({ 'telegram.state': 'sent' })).toBe(messages.length);
});
