import { type Connection, Types } from 'mongoose';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import type { RuleFields } from '../../../rules/model.ts';
import { openRules } from '../../../rules/service.ts';
import { type StrategyFields, type StrategyRecord, strategyModel } from '../../../strategies/model.ts';
import { openStrategies } from '../../../strategies/service.ts';
import { type OrderRecord, orderModel } from '../../orders/model.ts';
import { createWorld, newUser, startTrading, type World } from '../../positions/testing/scene.ts';
import { coin } from '../../testing/coin.ts';
import type { Decided } from '../core/model.ts';
import { openPlanEngine } from '../open-engine.ts';
import { createTestFeed } from './feed.ts';

const SOL = 1_000_000_000;

/** A strategy that buys every new coin. */
export const everyLaunch: StrategyFields = {
  name: 'Every launch',
  description: '',
  type: 'time_based',
  isActive: true,
  buyLamports: SOL / 10,
  maxSlippage: 5,
  stopLoss: 10,
  takeProfit: null,
  minLiquidityLamports: null,
  maxScamProbability: null,
  buyUnknownRisk: false,
  buyWithinSeconds: null,
  configuration: { timeConfig: { option: 'buy_immediately' } },
};

/** A rule that buys every coin of a low risk. */
export const lowRisk: RuleFields = {
  name: 'Low risk',
  buyLamports: SOL / 10,
  minLiquidityLamports: SOL,
  maxRisk: 30,
  maxSlippage: 5,
  isActive: true,
  buyUnknownRisk: false,
  buyWithinSeconds: null,
};

/** Lists and access of users, which outlive a process. */
export interface Others {
  white: Set<string>;
  black: Set<string>;
  inactive: Set<string>;
  isDatabaseAway: boolean;
  /** Whether the engine of each process has the lease, by its number; held without an entry. */
  hasLease: boolean[];
}

const newOthers = (): Others => ({
  white: new Set(),
  black: new Set(),
  inactive: new Set(),
  isDatabaseAway: false,
  hasLease: [],
});

/** Orders, positions, plans and their engine in one process over a real database. They stop with the test. */
export async function startEngine(world: World, others: Others = newOthers(), process = 0) {
  const { connection, time, wallets, market, chain } = world;
  const clock = { now: time.now };
  const running = await startTrading(world);
  const { bus, trading } = running;
  const feed = createTestFeed(clock.now);
  const [rules, strategies] = [
    await openRules({ connection, bus, clock }),
    await openStrategies({ connection, bus, clock }),
  ];
  const decided: Decided[] = [];
  const engine = openPlanEngine({
    ...{ connection, market: feed, bus, clock, log: pino({ level: 'silent' }) },
    network: { rentPerByte: () => null },
    trading,
    lease: { isHeld: () => others.hasLease[process] ?? true },
    users: { findActive: async (userId) => (others.inactive.has(userId) ? null : {}) },
    wallets: {
      async current(userId) {
        const walletAddress = wallets.get(userId);
        return walletAddress === undefined ? null : { walletAddress, hasKey: true };
      },
    },
    watchlists: { of: async () => ({ white: others.white, black: others.black }) },
    executorOf: (mode) => (mode === chain.executor.mode ? chain.executor : null),
    database: { isReachable: () => !others.isDatabaseAway },
    decisions: { note: (one) => void decided.push(one) },
  });
  engine.start();
  let isRunning = true;
  async function stop(): Promise<void> {
    if (!isRunning) return;
    isRunning = false;
    await engine.stop();
    await running.stop();
  }
  onTestFinished(stop);
  /** Waits until the core has a plan, which it gets with a tick. */
  const isActive = (id: string) =>
    expect
      .poll(() => {
        feed.tick();
        return engine.explain(id, 'nothing', clock.now())?.code;
      })
      .not.toBe('inactive');
  const callerOf = (userId: string) => ({ _id: new Types.ObjectId(userId), username: 'test', isAdmin: false });

  return {
    ...{ ...running, engine, feed, rules, strategies, decided, stop },
    /** Waits until the engine decides. */
    decides: () => expect.poll(() => engine.figures().isDeciding).toBe(true),
    async addStrategy(userId: string, fields: Partial<StrategyFields> = {}): Promise<string> {
      const { id } = await strategies.create(callerOf(userId), userId, { ...everyLaunch, ...fields });
      await isActive(id);
      return id;
    },
    async addRule(userId: string, fields: Partial<RuleFields> = {}): Promise<string> {
      const { id } = await rules.create(callerOf(userId), userId, { ...lowRisk, ...fields });
      await isActive(id);
      return id;
    },
    /** Changes a strategy, and waits until the core has it so. */
    async changeStrategy(userId: string, id: string, fields: Partial<StrategyFields>): Promise<void> {
      await strategies.change(callerOf(userId), id, fields);
      const stored = await strategyModel(connection).findById(id).lean<StrategyRecord>();
      const expected = stored?.isActive ? { name: stored.name, activeSince: stored.activeSince } : undefined;
      await expect
        .poll(() => {
          feed.tick();
          const plan = engine.plan(userId, id);
          return plan === null ? undefined : { name: plan.name, activeSince: plan.activeSince };
        })
        .toEqual(expected);
    },
    removeStrategy: (userId: string, id: string) => strategies.remove(callerOf(userId), id),
    /** Detects coins that can be traded, and hands them over. */
    launch(addresses: readonly string[], figures: Parameters<typeof feed.detect>[1] = {}): void {
      for (const address of addresses) market.coins.set(address, coin({ address, price: 1 }));
      feed.detect(addresses, figures);
      feed.tick();
    },
    /** Makes ticks until a user has a number of orders that are over. */
    async orders(userId: string, count: number): Promise<OrderRecord[]> {
      await expect
        .poll(async () => {
          feed.tick();
          return (await ordersOf(world, userId)).filter(({ open }) => !open).length;
        })
        .toBe(count);
      return ordersOf(world, userId);
    },
    /** Makes ticks until a user has more than a number of orders. */
    async buysMoreThan(userId: string, count: number): Promise<void> {
      await expect
        .poll(async () => {
          feed.tick();
          return (await ordersOf(world, userId)).length;
        })
        .toBeGreaterThan(count);
    },
    /** Makes ticks with everything done in between, so that whatever would be bought is. */
    async settle(): Promise<void> {
      for (let ticks = 0; ticks < 5; ticks += 1) {
        feed.tick();
        await bus.settled();
        await connection.db?.command({ ping: 1 });
      }
    },
  };
}
export type RunningEngine = Awaited<ReturnType<typeof startEngine>>;

/** Returns the orders of a user, oldest first. */
export function ordersOf({ connection }: World, userId: string): Promise<OrderRecord[]> {
  return orderModel(connection)
    .find({ userId: new Types.ObjectId(userId) })
    .sort({ _id: 1 })
    .lean<OrderRecord[]>()
    .exec();
}

/** Returns a user with a wallet, whose limits allow many purchases. */
export async function newTrader(world: World, { trading }: Pick<RunningEngine, 'trading'>): Promise<string> {
  const userId = newUser(world);
  await trading.accounts.read(userId);
  await world.connection
    .collection('tradingAccounts')
    .updateOne(
      { _id: new Types.ObjectId(userId) },
      { $set: { 'limits.perDayLamports': 100 * SOL, 'limits.maxOpen': 100 } },
    );
  return userId;
}

/** Starts an engine with one user, after the plans of other tests were deleted. */
export async function engineScene(connection: Connection) {
  const world = createWorld(connection);
  for (const plans of ['rules', 'strategies']) await connection.collection(plans).deleteMany({});
  const others = newOthers();
  const running = await startEngine(world, others);
  const userId = await newTrader(world, running);
  await running.decides();
  return { world, others, userId, ...running };
}

let coins = 0;
/** Returns addresses of coins that no test of the file has used. */
export function fresh(count: number): string[] {
  coins += count;
  return Array.from({ length: count }, (_, index) => `coin${coins - index}`);
}

export function addressesOf(orders: readonly { token: { address: string } }[]): string[] {
  return orders.map(({ token }) => token.address);
}
