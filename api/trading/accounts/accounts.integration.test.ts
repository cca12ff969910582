import fc from 'fast-check';
import { type Model, Types } from 'mongoose';
import { expect, test } from 'vitest';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import { rounds } from '../../../common/testing/effort.ts';
import { DAY, HOUR } from '../../../common/time.ts';
import { KEPT_BACK_LAMPORTS, limitBounds, PAPER_START_LAMPORTS } from '../../../common/trading/account.ts';
import { nothingSettled, type Settlement } from '../../../common/trading/limits/book.ts';
import { furtherConnection, testConnection } from '../../testing/database.ts';
import { type TradingAccountRecord, tradingAccountModel, tradingStateModel } from './model.ts';
import type { HoldRequest } from './money-hold.ts';
import type { TradingAccounts } from './service.ts';
import { type AccountStore, createAccountStore, createStopAll } from './store.ts';
import { actor, holdInRounds, testAccounts } from './testing/accounts.ts';

const SOL = 1_000_000_000;
const connection = await testConnection();
const MIDNIGHT = Date.UTC(2026, 10, 23);
let now = MIDNIGHT - 12 * HOUR;

const store = createAccountStore(tradingAccountModel(connection));
const stopAll = createStopAll(tradingStateModel(connection));

/** Another worker over the same accounts. With a network, it trades with real money there. */
const worker = (liveCluster?: ChainCluster | null): TradingAccounts =>
  testAccounts(connection, {
    server: liveCluster === undefined ? 'local' : 'live',
    liveCluster: () => liveCluster ?? null,
    clock: { now: () => now },
  });

const id = () => new Types.ObjectId().toHexString();
const purchase = (lamports: number, fields: Partial<HoldRequest> = {}): HoldRequest => ({
  orderId: id(),
  mode: 'local',
  side: 'buy',
  lamports,
  totalLamports: lamports + 5_000,
  address: id(),
  isAutomatic: false,
  ...fields,
});
const bought = (lamports: number, position = id()): Settlement => ({
  ...nothingSettled,
  spentLamports: lamports,
  walletLamports: -lamports - 5_000,
  position: { id: position, address: position, isOpen: true },
});

test('holds money once, and ends the hold once, however often both are repeated [O8]', async () => {
  const [accounts, userId, request] = [worker(), id(), purchase(SOL)];
  await store.set(userId, { 'limits.perTradeLamports': 2 * SOL }, now);
  for (let time = 0; time < 3; time += 1) expect(await accounts.hold(userId, request)).toBeNull();
  expect((await accounts.view(userId)).budget).toMatchObject({ leftLamports: SOL, reservedLamports: SOL + 5_000 });
  for (let time = 0; time < 3; time += 1) await accounts.settle(userId, request, bought(SOL - 10, 'position'));
  expect((await accounts.view(userId)).budget).toMatchObject({
    leftLamports: SOL + 10,
    reservedLamports: 0,
    openPositions: 1,
  });
  // A worker that was cut off before the end wants to hold the money again.
  expect(await accounts.hold(userId, request)).toMatchObject({ code: 'too-old' });
  expect((await accounts.view(userId)).budget).toMatchObject({ reservedLamports: 0 });
});

/** Another process, whose accounts are changed by a further writer after each of its next `left` reads. */
const contention = { left: 0, reads: 0 };
const contended = contendedStore(tradingAccountModel(await furtherConnection(connection)));

function contendedStore(model: Model<TradingAccountRecord>): AccountStore {
  const { collection } = model;
  const find: unknown = Reflect.get(collection, 'findOne');
  Reflect.set(collection, 'findOne', async (...args: unknown[]) => {
    if (typeof find !== 'function') throw new Error('the driver finds nothing');
    const found: TradingAccountRecord | null = await Reflect.apply(find, collection, args);
    contention.reads += 1;
    contention.left -= 1;
    if (found && contention.left >= 0) await store.set(found._id.toHexString(), {}, now);
    return found;
  });
  return createAccountStore(model);
}

test('a hold that loses its account to other changes is repeated three times, and then left for later, not refused', async () => {
  const [userId, request] = [id(), purchase(SOL / 10)];
  await store.get(userId, now);
  Object.assign(contention, { left: 8, reads: 0 });
  expect(await contended.hold(userId, request, now)).toBe('lost');
  expect(contention.reads).toBe(4);
  expect(await contended.settle(userId, request, nothingSettled, now)).toBe('lost');
  expect((await store.get(userId, now)).books.local).toMatchObject({ holds: {}, reservedLamports: 0 });
  contention.left = 3;
  expect(await contended.hold(userId, request, now)).toMatchObject({ ok: true });
  expect((await store.get(userId, now)).books.local).toMatchObject({ reservedLamports: SOL / 10 + 5_000 });
});

test('every write of an account raises its version', async () => {
  const [accounts, userId, request] = [worker(), id(), purchase(SOL / 10, { mode: 'paper' })];
  const tomorrow = testAccounts(connection, { clock: { now: () => now + DAY } });
  const versions = [(await store.get(userId, now)).version];
  const writes: (() => Promise<unknown>)[] = [
    () => accounts.hold(userId, request),
    () => accounts.settle(userId, request, bought(SOL / 20, 'position')),
    () => accounts.closePosition(userId, 'paper', 'position'),
    () => accounts.stop(userId, 'user', true),
    () => accounts.stop(userId, 'user', false),
    () => accounts.resume(userId),
    () => accounts.resetPaper(userId),
    () => accounts.finishReset(userId),
    () => accounts.emitUnknown(userId),
    // It begins a new day of its book.
    () => tomorrow.hold(userId, purchase(SOL / 10, { mode: 'paper' })),
  ];
  for (const write of writes) {
    await write();
    versions.push((await store.get(userId, now)).version);
  }
  expect(versions).toEqual(versions.map((_, at) => at + 1));
});

test('an order that ended before its hold can not be held afterwards [O8]', async () => {
  const [accounts, userId, request] = [worker(), id(), purchase(SOL)];
  await accounts.settle(userId, request, nothingSettled);
  expect(await accounts.hold(userId, request)).toMatchObject({ code: 'too-old' });
  expect((await accounts.view(userId)).budget).toMatchObject({ leftLamports: 2 * SOL, reservedLamports: 0 });
});

test.each<[string, object, Partial<HoldRequest>, object]>([
  // All that leaves the wallet counts, so an amount equal to the limit exceeds it.
  ['per-trade', { 'limits.perTradeLamports': SOL }, {}, { needsLamports: SOL + 5_000, limitLamports: SOL }],
  ['day-budget', { 'limits.perDayLamports': SOL / 2 }, {}, { needsLamports: SOL, leftLamports: SOL / 2 }],
  ['open-positions', { 'limits.maxOpen': 1, 'books.local.positions': ['one'] }, {}, { open: 1, limit: 1 }],
  ['day-loss', { 'books.local.realisedLamports': -SOL }, {}, { limitLamports: SOL, untilAt: MIDNIGHT }],
  ['stopped', { stopped: { at: new Date(0), by: 'user' } }, {}, {}],
  [
    'balance',
    { 'paper.lamports': SOL },
    { mode: 'paper' },
    { hasLamports: SOL, needsLamports: SOL + 5_000, keptBackLamports: KEPT_BACK_LAMPORTS },
  ],
])('refuses a purchase: %s, with its figures', async (code, fields, request, numbers) => {
  const [accounts, userId] = [worker(), id()];
  await store.set(userId, { 'limits.perTradeLamports': 2 * SOL, ...fields }, now);
  expect(await accounts.hold(userId, purchase(SOL, request))).toEqual({ code, numbers });
  const sale = { ...purchase(0, request), side: 'sell', totalLamports: 0, address: null } as const;
  expect(await accounts.hold(userId, sale)).toBeNull();
});

test('waits for the cooldown between two purchases', async () => {
  const [accounts, userId] = [worker(), id()];
  await store.set(userId, { 'limits.cooldownMs': 60_000 }, now);
  expect(await accounts.hold(userId, purchase(1))).toBeNull();
  expect(await accounts.hold(userId, purchase(1))).toEqual({ code: 'cooldown', numbers: { seconds: 60 } });
  now += 60_000;
  expect(await accounts.hold(userId, purchase(1))).toBeNull();
});

test('a token takes one place, by its positions of several plans and by orders on their way [T-10]', async () => {
  const [accounts, userId] = [worker(), id()];
  await store.set(userId, { 'limits.maxOpen': 1 }, now);
  const [first, second] = ['one', 'one'].map((address) => purchase(SOL / 10, { address }));
  const other = () => accounts.hold(userId, purchase(SOL / 10, { address: 'other' }));
  const taken = async () => (await accounts.view(userId)).budget?.openPositions;
  for (const request of [first, second]) {
    if (!request) throw new Error('no request');
    expect(await accounts.hold(userId, request)).toBeNull();
    expect(await other()).toMatchObject({ code: 'open-positions', numbers: { open: 1, limit: 1 } });
    const position = { id: request.orderId, address: 'one', isOpen: true };
    await accounts.settle(userId, request, { ...bought(SOL / 10), position });
    expect(await taken()).toBe(1);
  }
  await accounts.closePosition(userId, 'local', first?.orderId ?? '');
  expect(await other()).toMatchObject({ code: 'open-positions' });
  const position = { id: second?.orderId ?? '', address: 'one', isOpen: false };
  await accounts.settle(userId, purchase(0, { side: 'sell', address: null }), { ...nothingSettled, position });
  expect(await taken()).toBe(0);
  expect(await other()).toBeNull();
});

test('an administrator stops all purchases, also of accounts that are made afterwards', async () => {
  const [accounts, userId, request] = [worker(), id(), purchase(SOL)];
  await stopAll.stop({ at: new Date(now), by: 'admin' });
  expect(await accounts.hold(userId, request)).toMatchObject({ code: 'stopped-all' });
  await accounts.settle(userId, request, nothingSettled);
  expect((await accounts.view(userId)).stoppedAll).toBe(true);
  await stopAll.resume();
  expect(await accounts.hold(userId, purchase(SOL / 2))).toBeNull();
});

test('never reserves more than the budget: 200 purchases at once by three workers, over the turn of the day [T-10]', async () => {
  const [workers, userId] = [[worker(), worker(), worker()], id()];
  const requests = Array.from({ length: 200 }, () => purchase(SOL / 10, { address: 'coin' }));
  await store.set(userId, { 'limits.perDayLamports': SOL }, now);
  const results = await Promise.all(
    requests.map((request, at) => holdInRounds(workers[at % 3] ?? worker(), userId, request)),
  );
  expect(results.filter((refusal) => refusal === null)).toHaveLength(10);
  expect(new Set(results.flatMap((refusal) => refusal?.code ?? []))).toEqual(new Set(['day-budget']));
  now += DAY;
  // Money that is still held counts on the new day.
  const refused = requests.filter((_, at) => results[at] !== null);
  const next = await Promise.all(
    refused.map((request, at) => holdInRounds(workers[at % 3] ?? worker(), userId, request)),
  );
  expect(next.filter((refusal) => refusal === null)).toHaveLength(0);
  const held = requests.filter((_, at) => results[at] === null);
  await Promise.all(
    [...held, ...held].map((request) => (workers[0] ?? worker()).settle(userId, request, nothingSettled)),
  );
  expect((await worker().view(userId)).budget).toMatchObject({ leftLamports: SOL, reservedLamports: 0 });
  const last = await Promise.all(
    refused.map((request, at) => holdInRounds(workers[at % 3] ?? worker(), userId, request)),
  );
  expect(last.filter((refusal) => refusal === null)).toHaveLength(10);
});

test('play money follows what orders move, and can not be spent twice at once', async () => {
  const [accounts, userId] = [worker(), id()];
  await store.set(userId, { 'limits.perDayLamports': limitBounds.perDayLamports.max, 'paper.lamports': SOL }, now);
  const requests = Array.from({ length: 30 }, () => purchase(SOL / 10, { mode: 'paper', address: 'coin' }));
  const results = await Promise.all(requests.map((request) => holdInRounds(accounts, userId, request)));
  expect(results.filter((refusal) => refusal === null)).toHaveLength(9);
  await expect(accounts.resetPaper(userId)).rejects.toMatchObject({ code: 'already-running' });
  const ends = requests.map((request, at) =>
    accounts.settle(userId, request, results[at] === null ? bought(SOL / 20) : nothingSettled),
  );
  await Promise.all([...ends, ...ends]);
  expect((await accounts.view(userId)).paper.lamports).toBe(SOL - 9 * (SOL / 20 + 5_000));
  expect((await accounts.resetPaper(userId)).paper.lamports).toBe(PAPER_START_LAMPORTS);
});

test('purchases at once leave what a sale costs in the wallet on a chain', async () => {
  const [accounts, userId] = [worker(), id()];
  await store.set(userId, { 'limits.maxOpen': 100 }, now);
  // Enough for two of them, as each one has read it before the others reserved anything.
  const walletLamports = 2 * (SOL / 10 + 5_000) + KEPT_BACK_LAMPORTS;
  const requests = Array.from({ length: 6 }, () => purchase(SOL / 10, { walletLamports }));
  const results = await Promise.all(requests.map((request) => holdInRounds(accounts, userId, request)));
  expect(results.filter((refusal) => refusal === null)).toHaveLength(2);
  expect(results.filter((refusal) => refusal?.code === 'balance')).toHaveLength(4);
  expect(await accounts.hold(userId, purchase(SOL / 10, { walletLamports: null }))).toBeNull();
});

test('consent to real money holds for the network that it was given on', async () => {
  const userId = id();
  const { asked, by } = actor();
  const live = { mode: 'live', confirm: 'LIVE' } as const;
  await expect(worker(null).change(userId, live, by)).rejects.toMatchObject({ code: 'chain-unavailable' });
  await expect(worker('devnet').change(userId, { mode: 'live' }, by)).rejects.toMatchObject({ code: 'confirm-needed' });
  expect(await worker('devnet').change(userId, live, by)).toMatchObject({ mode: 'live' });
  expect(asked.times).toBe(1);
  // Another day, the same server trades on mainnet.
  expect(await worker('mainnet').view(userId)).toMatchObject({ mode: 'paper' });
  expect(await worker('mainnet').read(userId)).toMatchObject({ activeMode: 'paper' });
  await expect(worker('mainnet').change(userId, { mode: 'live' }, by)).rejects.toMatchObject({
    code: 'confirm-needed',
  });
  expect(await worker('mainnet').change(userId, live, by)).toMatchObject({ mode: 'live' });
  expect(asked.times).toBe(2);
  expect(await worker('devnet').view(userId)).toMatchObject({ mode: 'paper' });
  // Until the node was checked nothing is signed, and no play money takes the place of real money.
  expect(await worker(null).view(userId)).toMatchObject({ mode: 'live' });
});

test('limits of a user with real money need the password wherever the server trades', async () => {
  const userId = id();
  const { asked, by } = actor();
  await worker('mainnet').change(userId, { mode: 'live', confirm: 'LIVE' }, by);
  for (const accounts of [worker('mainnet'), worker('devnet'), worker()]) {
    const before = asked.times;
    await accounts.change(userId, { limits: { perTradeLamports: SOL + before } }, by);
    expect(asked.times).toBe(before + 1);
  }
});

const BUDGET = 150_000_000;

/** The budget as it should be: money by order, and the amount spent today. */
function createExpected() {
  const held = new Map<number, number>();
  const ended = new Set<number>();
  let spent = 0;
  const reserved = () => [...held.values()].reduce((sum, lamports) => sum + lamports, 0);
  return {
    left: () => BUDGET - spent - reserved(),
    /** Returns whether the hold is allowed. */
    hold(order: number, lamports: number): boolean {
      if (held.has(order)) return true;
      const fits = !ended.has(order) && spent + reserved() + lamports <= BUDGET;
      if (fits) held.set(order, lamports);
      return fits;
    },
    /** Returns what the order spends, at most `lamports`. */
    settle(order: number, lamports: number): number {
      const most = held.has(order) ? lamports : 0;
      if (!ended.has(order)) spent += most;
      held.delete(order);
      ended.add(order);
      return most;
    },
    nextDay() {
      spent = 0;
    },
  };
}

const actionOfDay = fc.oneof(
  fc.record({ type: fc.constant('hold' as const), order: fc.nat(7) }),
  fc.record({ type: fc.constant('settle' as const), order: fc.nat(7), percent: fc.nat(100) }),
  fc.record({ type: fc.constant('next day' as const), order: fc.nat(7) }),
);

test('holds and purchases of a day stay within its budget, whatever happens in which order [T-10, O8]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actionOfDay, { maxLength: 30 }), async (actions) => {
      const [accounts, userId, expected] = [worker(), id(), createExpected()];
      const orders = Array.from({ length: 8 }, (_, at) => purchase((at + 1) * 10_000_000));
      await store.set(userId, { 'limits.perDayLamports': BUDGET }, now);
      for (const action of actions) {
        const request = orders[action.order] ?? purchase(0);
        if (action.type === 'hold') {
          const refusal = await accounts.hold(userId, request);
          expect(refusal === null).toBe(expected.hold(action.order, request.lamports));
        } else if (action.type === 'settle') {
          const most = Math.floor((request.lamports * action.percent) / 100);
          const spentLamports = expected.settle(action.order, most);
          await accounts.settle(userId, request, { ...nothingSettled, spentLamports });
        } else {
          now += DAY;
          expected.nextDay();
        }
        expect((await accounts.view(userId)).budget?.leftLamports).toBe(expected.left());
      }
    }),
    { numRuns: rounds(15) },
  );
});
