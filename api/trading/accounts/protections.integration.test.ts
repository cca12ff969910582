import { Types } from 'mongoose';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../../common/time.ts';
import { nothingSettled } from '../../../common/trading/limits/book.ts';
import { defaultProtections, STOP_LOSSES_KEPT } from '../../../common/trading/limits/protections.ts';
import { testConnection } from '../../testing/database.ts';
import { tradingAccountModel } from './model.ts';
import type { HoldRequest } from './money-hold.ts';
import type { TradingAccounts } from './service.ts';
import { createAccountStore } from './store.ts';
import { actor, holdInRounds, testAccounts } from './testing/accounts.ts';

const SOL = 1_000_000_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const connection = await testConnection();
let now = NOW;
let unknownOrders = 0;
const recorded: [action: string, object: string | null | undefined][] = [];

const store = createAccountStore(tradingAccountModel(connection));

beforeEach(() => {
  now = NOW;
  unknownOrders = 0;
  recorded.length = 0;
});

/** Another worker, with nothing but the database in common. */
const worker = (server: 'local' | 'live' = 'local'): TradingAccounts =>
  testAccounts(connection, {
    server,
    liveCluster: () => 'devnet',
    countUnknown: async () => unknownOrders,
    audit: { record: async (action, _actor, _subject, object) => void recorded.push([action, object]) },
    clock: { now: () => now },
  });

const id = () => new Types.ObjectId().toHexString();
const byPlan = (fields: Partial<HoldRequest> = {}): HoldRequest => ({
  orderId: id(),
  mode: 'local',
  side: 'buy',
  lamports: SOL / 100,
  totalLamports: SOL / 100,
  address: id(),
  isAutomatic: true,
  ...fields,
});
const byHand = () => byPlan({ isAutomatic: false });
const soldByStopLoss = (at = now) => ({ ...nothingSettled, realisedLamports: -1, stopLossAt: at });

/** Settles sales of as many positions by their stop loss. */
async function stopLosses(userId: string, count: number): Promise<void> {
  for (let sale = 0; sale < count; sale += 1) {
    await worker().settle(userId, { orderId: id(), mode: 'local' }, soldByStopLoss());
  }
}

/** Holds 60 orders at once by three workers. Returns the number of those held, and why the others were refused. */
async function race(userId: string, request: () => HoldRequest): Promise<[held: number, codes: string[]]> {
  const workers = [worker(), worker(), worker()];
  const requests = Array.from({ length: 60 }, request);
  const results = await Promise.all(requests.map((one, at) => holdInRounds(workers[at % 3] ?? worker(), userId, one)));
  const codes = new Set(results.flatMap((refusal) => refusal?.code ?? []));
  return [results.filter((refusal) => refusal === null).length, [...codes]];
}

describe('60 purchases at once by three workers', () => {
  test.each<[string, object, string, number]>([
    ['open positions', { 'limits.maxOpen': 7 }, 'openPositions', 7],
    ['the cooldown', { 'limits.cooldownMs': MINUTE }, 'cooldown', 1],
    ['the losses of the day', { 'books.local.realisedLamports': -SOL }, 'dayLoss', 0],
    ['the stop-loss guard', { 'books.local.stopLossesAt': [1, 2, 3, 4, 5].map((ms) => NOW - ms) }, 'stopLossGuard', 0],
  ])('keep to %s, and only to the budget when that is switched off [T-10, T-25]', async (_, fields, name, most) => {
    const [guarded, free] = [id(), id()];
    const base = { 'limits.perDayLamports': SOL, 'limits.maxOpen': 100, ...fields };
    await store.set(guarded, base, now);
    await store.set(free, { ...base, [`protections.${name}`]: false }, now);
    expect(await race(guarded, byPlan)).toMatchObject([most, [expect.any(String)]]);
    expect(await race(free, byPlan)).toEqual([60, []]);
    // The budget of the day is for 100 of them.
    expect((await race(free, byPlan))[0]).toBe(40);
    expect((await worker().view(free)).budget).toMatchObject({ leftLamports: 0, reservedLamports: SOL });
  });

  test('by hand are not refused by the stop-loss guard [T-26]', async () => {
    const userId = id();
    await store.set(userId, { 'limits.maxOpen': 100 }, now);
    await stopLosses(userId, 5);
    expect(await race(userId, byPlan)).toEqual([0, ['stop-loss-guard']]);
    expect(await race(userId, byHand)).toEqual([60, []]);
  });
});

test('a sale by a stop loss counts once, however often its end is repeated, and also after a restart [T-26]', async () => {
  const userId = id();
  const sale = { orderId: id(), mode: 'local' } as const;
  for (let time = 0; time < 10; time += 1) await worker().settle(userId, sale, soldByStopLoss());
  expect(await worker().hold(userId, byPlan())).toBeNull();
  await stopLosses(userId, 4);
  expect(await worker().hold(userId, byPlan())).toEqual({
    code: 'stop-loss-guard',
    numbers: { untilAt: now + 30 * MINUTE, stopLosses: 5, minutes: 30 },
  });
  expect((await worker().view(userId)).locks).toMatchObject([
    { kind: 'stop-loss-guard', until: new Date(now + 30 * MINUTE).toISOString() },
  ]);
  // On paper nothing was sold.
  expect(await worker().hold(userId, byPlan({ mode: 'paper' }))).toBeNull();
  now += 30 * MINUTE;
  expect(await worker().hold(userId, byPlan())).toBeNull();
  expect((await worker().view(userId)).locks).toEqual([]);
});

test('the account remembers a bounded number of stop losses', async () => {
  const userId = id();
  await stopLosses(userId, STOP_LOSSES_KEPT + 5);
  expect((await store.get(userId, now)).books.local.stopLossesAt).toHaveLength(STOP_LOSSES_KEPT);
});

test('orders without a verdict lock an account, which shows it, until they are switched off [T-11, T-25]', async () => {
  const userId = id();
  unknownOrders = 3;
  expect((await worker().view(userId)).locks).toMatchObject([{ kind: 'unknown-orders', until: null }]);
  await store.set(userId, { 'protections.unknownOrders': false }, now);
  expect((await worker().view(userId)).locks).toEqual([]);
});

test('switches and figures are recorded, and with real money they need the password [T-27]', async () => {
  const userId = id();
  const { asked, by } = actor();
  await worker().change(userId, { protections: { stopLossGuard: false, guardLockMs: HOUR } }, by);
  // Nothing changes, so nothing is recorded.
  await worker().change(userId, { protections: { stopLossGuard: false, cooldown: true } }, by);
  expect(recorded).toEqual([['trading-protections-changed', 'stopLossGuard off, guardLockMs']]);
  expect(asked.times).toBe(0);
  expect((await worker().view(userId)).protections).toEqual({
    ...defaultProtections,
    stopLossGuard: false,
    guardLockMs: HOUR,
  });
  await worker('live').change(userId, { mode: 'live', confirm: 'LIVE' }, by);
  await worker('live').change(userId, { protections: { dayLoss: false } }, by);
  expect(asked.times).toBe(2);
});

test('the lock of the guard can be lifted: once, recorded, and with real money by password [T-27]', async () => {
  const userId = id();
  const { asked, by } = actor();
  await worker().liftGuard(userId, by);
  expect(recorded).toEqual([]);
  await stopLosses(userId, 5);
  expect((await worker().liftGuard(userId, by)).locks).toEqual([]);
  expect(await worker().hold(userId, byPlan())).toBeNull();
  expect(recorded).toEqual([['stop-loss-guard-lifted', 'local']]);
  expect(asked.times).toBe(0);
  // The next five lock again.
  await stopLosses(userId, 4);
  expect(await worker().hold(userId, byPlan())).toBeNull();
  await stopLosses(userId, 1);
  expect(await worker().hold(userId, byPlan())).toMatchObject({ code: 'stop-loss-guard' });
  await worker('live').change(userId, { mode: 'live', confirm: 'LIVE' }, by);
  await store.set(userId, { 'books.live.stopLossesAt': Array.from({ length: 5 }, () => now) }, now);
  await worker('live').liftGuard(userId, by);
  expect(asked.times).toBe(2);
});
