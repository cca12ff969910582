import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, SECOND } from '../../../common/time.ts';
import { noExits } from '../../../common/trading/account.ts';
import { exitsOfPlan } from '../../../common/trading/exits.ts';
import { seeded } from '../../alerts/testing/tokens.ts';
import { openStrategies } from '../../strategies/service.ts';
import { testConnection } from '../../testing/database.ts';
import { nothingLive } from '../../testing/tokens.ts';
import { type OrderRecord, orderModel } from '../orders/model.ts';
import { createPaperBook } from '../paper/paper-book.ts';
import { createPaperExecutor } from '../paper/paper-executor.ts';
import { createCore } from '../plans/core/core.ts';
import type { Decided } from '../plans/core/model.ts';
import { openPlanEngine } from '../plans/open-engine.ts';
import { createPlanSource } from '../plans/plan-source.ts';
import { createUserReader } from '../plans/user-reader.ts';
import {
  createWorld,
  newUser,
  type RunningTrading,
  request,
  startTrading,
  storedPositions,
  trade,
} from '../positions/testing/scene.ts';
import { hourOf, type TapeEntry } from '../tape/format.ts';
import { readHour } from '../tape/reader.ts';
import { createTape } from '../tape/tape.ts';
import { heldLease } from '../testing/coin.ts';
import { createReplay } from './run.ts';
import { createHourMarket, type HourStep } from './testing/hour-market.ts';

const SOL = 1_000_000_000;
/** Time between two ticks; each has a price within it and one at its end for every coin. */
const TICK_MS = 4_000;
/** Fills are at the price within the next tick. */
const DELAY = 300;
const WITHIN_MS = 3_900;
const LAUNCH_MS = 100 * SECOND;
/** Purchases of the day: one is made before the hour. */
const PURCHASES = 16;
const WAIT = { timeout: 20_000, interval: 5 };

/** Moves all launched coins at random, from a launch every 100 s. */
function createWalk(start: number) {
  const random = seeded(3);
  const times = new Map<string, number>();
  return (now: number): { launches: string[]; steps: HourStep[] } => {
    const launches: string[] = [];
    if ((now - start) % LAUNCH_MS === 0) launches.push(`coin-${times.size}`);
    const steps = [...times.keys()].flatMap((address) =>
      [now - WITHIN_MS, now].map((at) => {
        const next = (times.get(address) ?? 1) * (1 + (random() - 0.495) * 0.03);
        times.set(address, next);
        return { address, at, times: next };
      }),
    );
    for (const address of launches) {
      times.set(address, 1);
      steps.push({ address, at: now, times: 1 });
    }
    return { launches, steps };
  };
}

async function openScene() {
  const connection = await testConnection({ monitorCommands: true });
  const world = createWorld(connection, 'paper');
  const { time } = world;
  const clock = { now: time.now };
  time.stop();
  // An hour of the next day in which no day turns.
  const start = Math.ceil(time.now() / DAY) * DAY + 5 * HOUR;
  const goTo = (at: number) => {
    time.skipped += at - time.now();
  };
  goTo(start - TICK_MS);
  const hour = createHourMarket(world.market);
  let running: RunningTrading | null = null;
  const opened = () => running ?? expect.fail('trading is not open');
  const book = createPaperBook(() => {
    const { accounts, orderStore } = opened().trading;
    return { accounts, orderStore, positions: opened().opened };
  });
  const delay = { of: async () => DELAY };
  const executor = createPaperExecutor({ market: hour.market, book, delay, rentPerByte: () => null, clock });
  const paper = { ...world, market: hour.market, chain: { ...world.chain, executor } };
  running = await startTrading(paper);
  const { trading, bus } = running;
  const userId = newUser(world);
  await trading.accounts.read(userId);
  const exits = {
    ...noExits,
    trailingPercent: 12,
    maxHoldMs: 400 * SECOND,
    steps: [{ atPercent: 6, sellPercent: 40 }],
  };
  const limits = {
    'limits.perDayLamports': (PURCHASES * SOL) / 10,
    'limits.maxOpen': 100,
    'limits.maxDayLossLamports': 100 * SOL,
    // Ids of orders have the time of the machine.
    'paper.resetAt': new Date(0),
  };
  await connection
    .collection('tradingAccounts')
    .updateOne({ _id: new Types.ObjectId(userId) }, { $set: { mode: 'paper', 'defaults.exits': exits, ...limits } });

  const dir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-equal-'));
  const tape = createTape({
    dir,
    limits: { hours: 3, bytes: 1e9 },
    snapshot: () => [],
    log: pino({ level: 'silent' }),
  });
  await tape.start();
  const decided: Decided[] = [];
  const users = {
    users: { findActive: async () => ({}) },
    wallets: { current: async () => ({ walletAddress: world.wallets.get(userId) ?? '', hasKey: true }) },
    watchlists: { of: async () => ({ white: new Set<string>(), black: new Set<string>() }) },
    executorOf: () => executor,
  };
  const engine = openPlanEngine({
    ...{
      connection,
      market: { ...hour.feed, ...nothingLive },
      bus,
      clock,
      tape,
      log: pino({ level: 'silent' }),
      ...users,
    },
    network: { rentPerByte: () => null },
    trading,
    // The lease lasts for seconds, in which an hour passes here.
    lease: heldLease,
    database: { isReachable: () => true },
    decisions: { note: (one) => void decided.push(one) },
  });
  onTestFinished(async () => {
    await engine.stop();
    await tape.stop();
    await rm(dir, { recursive: true, force: true });
  });
  const readUser = createUserReader({ ...users, accounts: trading.accounts, countUnknown: async () => 0, clock });
  return {
    ...{
      connection,
      world,
      running,
      trading,
      engine,
      tape,
      dir,
      decided,
      userId,
      readUser,
      start,
      goTo,
      hour,
      bus,
      clock,
    },
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Counts commands to the database that have no reply yet. */
function createPendingCommands({ connection }: Pick<Scene, 'connection'>): () => number {
  let pending = 0;
  const client = connection.getClient();
  client.on('commandStarted', () => {
    pending += 1;
  });
  for (const end of ['commandSucceeded', 'commandFailed'] as const) {
    client.on(end, () => {
      pending -= 1;
    });
  }
  return () => pending;
}

const ordersOf = ({ connection, userId }: Scene) =>
  orderModel(connection)
    .find({ userId: new Types.ObjectId(userId) })
    .sort({ _id: 1 })
    .lean<OrderRecord[]>();

/** Waits, with the time standing still, until everything that this moment brings is done: decided, made, filled and sold. */
async function settle(scene: Scene, pending: () => number): Promise<void> {
  const { world, bus, clock, decided } = scene;
  const isQuiet = async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (pending() > 0) return false;
    }
    return true;
  };
  await expect
    .poll(async () => {
      await bus.settled();
      if (!(await isQuiet())) return false;
      const [orders, positions] = [await ordersOf(scene), await storedPositions(world, scene.userId)];
      const made = new Set(orders.map(({ key }) => key));
      const awaited = decided
        .filter(({ reason }) => reason === null)
        .map(({ planId, address }) => `buy:${planId}:${address}`);
      const isDue = ({ attempts }: OrderRecord) =>
        attempts.every(({ firstSentAt }) => (firstSentAt ?? 0) + DELAY < clock.now());
      const open = orders.filter((order) => order.open);
      const isUnsold = positions.some(
        ({ _id, exit, open: isOpen }) =>
          isOpen && exit !== null && !open.some(({ positionId }) => positionId?.equals(_id)),
      );
      return awaited.every((key) => made.has(key)) && !open.some(isDue) && !isUnsold && (await isQuiet());
    }, WAIT)
    .toBe(true);
}

/** Returns the equal part of an order: when and why it was made, and its fill. */
function shownOf({ side, token, cause, times, status, fill, tokens }: OrderRecord, start: number) {
  const costs = fill && { ...fill.costs };
  return {
    ...{ side, address: token.address, exit: side === 'sell' ? cause.name : null, status, tokens },
    madeAt: times.created - start,
    fill: fill && { at: fill.at - start, tokens: fill.tokens, lamports: fill.lamports, price: fill.price, costs },
  };
}

const inOrder = (orders: readonly OrderRecord[], start: number) =>
  orders
    .map((order) => shownOf(order, start))
    .toSorted((one, other) => one.madeAt - other.madeAt || (one.address < other.address ? -1 : 1));

test('an hour live on paper and its replay from the account of its begin make the same purchases and exits with equal fills [T-38]', async () => {
  const scene = await openScene();
  const { connection, engine, userId, start, goTo, hour, tape, running, clock, bus } = scene;
  // A purchase by hand before, which takes a part of the day's budget and stays.
  hour.tick(clock.now(), [], [{ address: 'earlier', at: clock.now(), times: 1 }]);
  const byHand = { ...request('buy', SOL / 10), address: 'earlier', mode: 'paper' as const, exits: noExits };
  const bought = trade(running, userId, byHand);
  await expect.poll(() => ordersOf(scene)).toMatchObject([{ status: 'sent' }]);
  goTo(start - SECOND);
  hour.tick(clock.now(), [], []);
  expect(await bought).toMatchObject({ status: 'confirmed' });

  const strategies = await openStrategies({ connection, bus, clock });
  const trend = { option: 'buy_at_uptrend', trendPercentage: 4, trendDuration: 60 } as const;
  const caller = { _id: new Types.ObjectId(userId), username: 'test', isAdmin: false };
  const own = {
    name: 'Uptrend',
    description: '',
    type: 'price_based' as const,
    isActive: true,
    configuration: { priceConfig: trend },
  };
  const amounts = { buyLamports: SOL / 10, maxSlippage: 30, stopLoss: 8, takeProfit: 15 };
  const none = { minLiquidityLamports: null, maxScamProbability: null, buyUnknownRisk: false, buyWithinSeconds: null };
  await strategies.create(caller, userId, { ...own, ...amounts, ...none });
  engine.start();
  await expect.poll(() => engine.figures().isDeciding && hour.isFollowed(), WAIT).toBe(true);
  const [user, [active]] = [await scene.readUser(userId), await createPlanSource(connection).ofUser(userId)];
  const { ownExits, ...plan } = active ?? expect.fail('no plan');
  expect(user.account.book).toMatchObject({ usedLamports: SOL / 10 });

  const pending = createPendingCommands(scene);
  const walk = createWalk(start);
  for (let now = start; now < start + HOUR; now += TICK_MS) {
    goTo(now);
    const { launches, steps } = walk(now);
    hour.tick(now, launches, steps);
    await settle(scene, pending);
  }
  await tape.flush();

  const entries: TapeEntry[] = [];
  for await (const entry of readHour(scene.dir, hourOf(start))) entries.push(entry);
  const task = {
    plan: { ...plan, exits: exitsOfPlan(ownExits, user.defaultExits) },
    account: user.account,
    lists: [],
    delayOf: () => DELAY,
  };
  const replayed = [1, 2].map(() => {
    const replay = createReplay(task, createCore);
    for (const entry of entries) replay.take(entry);
    return inOrder(replay.desk.orders(), start);
  });
  const live = inOrder((await ordersOf(scene)).slice(1), start);
  expect(live.filter(({ side, fill }) => side === 'buy' && fill)).toHaveLength(PURCHASES - 1);
  const kinds = new Set(live.flatMap(({ exit, fill }) => (fill && exit ? exit : [])));
  expect(kinds.size).toBeGreaterThanOrEqual(4);
  expect(replayed[0]).toEqual(live);
  expect(replayed[1]).toEqual(replayed[0]);
}, 240_000);
