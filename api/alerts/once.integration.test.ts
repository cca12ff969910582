import { expect, test, vi } from 'vitest';
import { HOUR } from '../../common/time.ts';
import { fakeClock } from '../market/testing/market.ts';
import { testConnection } from '../testing/database.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import { alertModel } from './model.ts';
import { type AlertsProcess, linkedChat, startAlerts, storedUser } from './testing/alerts.ts';
import { seeded } from './testing/tokens.ts';

const connection = await testConnection({ monitorCommands: true });

/** Enough for a busy machine. */
const PATIENCE = { timeout: 15_000 };
const clock = fakeClock(Date.now());
const messages: string[] = [];
const created: string[] = [];

/** Starts the alerts; Telegram is unavailable now and then. */
function start(random: () => number): Promise<AlertsProcess> {
  return startAlerts(connection, {
    clock,
    async send(chatId, text) {
      if (random() < 0.1) return { failed: 'unavailable', retryAfter: 0.001 };
      messages.push(`${chatId} ${text}`);
      return 'sent';
    },
  });
}

interface Step {
  server: AlertsProcess;
  number: number;
  user: string;
  random: () => number;
}

const steps = {
  async detect({ server, number }: Step) {
    const record = tokenRecord(number, { createdAt: clock.now(), riskScore: 10, price: 1 });
    await tokenModels(connection).tokens.replaceOne({ _id: record._id }, record, { upsert: true });
    server.detect(presentToken(record));
  },
  async move({ server, number, random }: Step) {
    const figures = { price: 0.3 + random() * 2, currentLiquidity: random() * 3, scamProbability: random() * 60 };
    server.patch(presentToken(tokenRecord(number, { createdAt: clock.now() })), figures);
  },
  async change({ server, user, random }: Step) {
    const thresholds = { minLiquidity: Math.floor(random() * 3), maxRisk: random() * 100, alertsPerHour: 60 };
    await server.change(user, { ...thresholds, priceChangeAlerts: random() < 0.8 });
  },
  async watch({ server, user, number, random }: Step) {
    const change = server.watchlists[random() < 0.6 ? 'add' : 'remove'](user, 'watch', addressNumber(number));
    // A token that is not stored yet can't be watched.
    await change.catch(() => {});
  },
};
const order = ['detect', 'detect', 'detect', 'move', 'move', 'move', 'move', 'change', 'watch'] as const;

async function run(seed: number, users: readonly string[]): Promise<void> {
  const random = seeded(seed);
  const oneOf = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('no item to choose from');
    return item;
  };
  const numbers = [0, 1, 2, 3].map((index) => seed * 10 + index);
  let server = await start(random);
  for (let step = 1; step <= 45; step += 1) {
    clock.pass(Math.floor(random() * 2_000));
    await steps[oneOf(order)]({ server, number: oneOf(numbers), user: oneOf(users), random });
    if (random() > 0.1) continue;
    if (random() < 0.5) await server.alerts.settled();
    created.push(...server.createdLines());
    await server.stop();
    server = await start(random);
  }
  await server.alerts.settled();
  await vi.waitFor(async () => {
    clock.pass(10);
    const open = { 'telegram.state': { $in: ['queued' as const, 'sending' as const] } };
    expect(await alertModel(connection).countDocuments(open)).toBe(0);
  }, PATIENCE);
  created.push(...server.createdLines());
  await server.stop();
}

test('no user receives two alerts or messages of one token and type in any sequence of events, changes and restarts', async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => storedUser(connection, clock.now() - 1_000)));
  for (const user of users) await linkedChat(connection, user);
  for (let seed = 1; seed <= 4; seed += 1) await run(seed, users);
  expect(created.length).toBeGreaterThan(20);
  expect(messages.length).toBeGreaterThan(20);
  expect(new Set(created).size).toBe(created.length);
  expect(new Set(messages).size).toBe(messages.length);
  expect(await alertModel(connection).countDocuments({ 'telegram.state': 'sent' })).toBe(messages.length);
});

test('sends the best alerts of an hour and counts the rest in one line, across a restart', async () => {
  clock.pass(HOUR - (clock.now() % HOUR));
  const user = await storedUser(connection, clock.now() - 1_000);
  const chatId = await linkedChat(connection, user);
  const texts: string[] = [];
  async function startOne(): Promise<AlertsProcess> {
    return startAlerts(connection, {
      clock,
      async send(id, text) {
        if (id === chatId) texts.push(text);
        return 'sent';
      },
    });
  }
  /** Stores and detects ten tokens, the best one first, whose symbols are C and a number. */
  async function detectTen(server: AlertsProcess, from: number): Promise<void> {
    const records = Array.from({ length: 10 }, (_, index) =>
      tokenRecord(from + index, { createdAt: clock.now(), riskScore: index }),
    );
    await tokenModels(connection).tokens.insertMany(records);
    for (const record of records) server.detect(presentToken(record));
    await server.alerts.settled();
  }
  const best = [0, 1, 2, 3, 4, 5].map((index) => `C${10_000 + index}`);
  const symbols = async () => (await server.alerts.list(user, 100)).map(({ symbol }) => symbol);

  let server = await startOne();
  await detectTen(server, 10_000);
  expect(new Set(await symbols())).toEqual(new Set(best));
  await server.stop();
  server = await startOne();
  await server.alerts.settled();
  await detectTen(server, 11_000);
  expect(new Set(await symbols())).toEqual(new Set(best));
  const since = new Date(clock.now()).toISOString();
  expect(server.alerts.hour(user)).toEqual({ since, limit: 6, received: 6, heldBack: 14 });

  clock.pass(HOUR);
  await detectTen(server, 13_000);
  expect(await symbols()).toHaveLength(12);
  await vi.waitFor(() => expect(texts).toHaveLength(12), PATIENCE);
  expect(texts.filter((text) => text.includes('\n\n14 more matched last hour; limit 6.'))).toHaveLength(1);
  expect(server.alerts.hour(user)).toMatchObject({ received: 6, heldBack: 4 });
  await server.stop();
});
