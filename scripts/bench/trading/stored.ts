import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { seeded } from '../../../api/alerts/testing/tokens.ts';
import { ensureIndexes } from '../../../api/platform/database.ts';
import { createPaperBook } from '../../../api/trading/paper/paper-book.ts';
import { createPaperDelay } from '../../../api/trading/paper/paper-delay.ts';
import { createPaperExecutor } from '../../../api/trading/paper/paper-executor.ts';
import { createBuyer } from '../../../api/trading/plans/buyer.ts';
import { type Buy, buyKey, type CorePlan } from '../../../api/trading/plans/core/model.ts';
import { createDesk, type Desk, testCoin } from '../../../api/trading/testing/desk.ts';
import { type BenchLoad, TICK_MS } from './load.ts';
import { benchPlans } from './plans.ts';

/** Time in which orders are made and not counted, ms: by code that runs for the first time, over connections that open. */
const WARM_UP_MS = 1_000;

/** Times from decisions until their orders were stored, ms, and how many were refused. */
interface StoredTimes {
  /** Decisions of the first second, which warms up. */
  firstMs: number[];
  /** Decisions of plans that become due as those of many users do: a few in each tick. */
  storedMs: number[];
  /** Decisions that were all made in one moment, as when a time comes that many plans wait for. */
  burstMs: number[];
  refused: number;
  /** How late ticks began, ms. */
  lateMs: number[];
}

/** Orders on paper over a real database, with a worker that fills them. The users of the plans have accounts. */
async function openPaperDesk(
  connection: Connection,
  market: BenchLoad['market'],
  plans: readonly CorePlan[],
): Promise<Desk> {
  const clock = { now: Date.now };
  let desk: Desk | undefined;
  const sources = () => {
    if (!desk) throw new Error('no desk');
    const { accounts, positions } = desk;
    return { accounts, positions, orderStore: desk.store };
  };
  const coin = (address: string) => {
    const { reserves, price } = market.priceOf(address, Date.now());
    return { ...testCoin(address), launchpad: 'simulator', reserves, price };
  };
  const executor = createPaperExecutor({
    market: { coin: async (address) => coin(address), hasMerged: () => true, stepAt: () => null },
    book: createPaperBook(sources),
    delay: createPaperDelay({ samples: async () => [], clock }),
    rentPerByte: () => null,
    clock,
  });
  desk = await createDesk({ connection, executor, server: 'paper' });
  await ensureIndexes(desk.models.orders);
  for (const userId of new Set(plans.map((plan) => plan.userId))) {
    desk.wallets.set(userId, { walletAddress: userId, hasKey: true });
    await desk.accounts.read(userId);
  }
  desk.startWorker();
  return desk;
}

/**
 * Runs the load in real time for some seconds after a warm-up, with its purchases made as orders; then as many purchases as `burst`
 * at once.
 */
export async function runStored(
  connection: Connection,
  load: BenchLoad,
  { seconds, burst, updatesPerSecond }: { seconds: number; burst: number; updatesPerSecond: number },
): Promise<StoredTimes> {
  const atOnce = benchPlans(seeded(11), { count: burst, since: load.now(), now: load.now() });
  const plans = new Map([...load.plans, ...atOnce].map((plan) => [plan.id, plan]));
  const desk = await openPaperDesk(connection, load.market, [...plans.values()]);
  const times: StoredTimes = { firstMs: [], storedMs: [], burstMs: [], refused: 0, lateMs: [] };
  let storedMs = times.firstMs;
  const decided = new Map<string, { buy: Buy; at: number; storedMs: number[] }>();
  const buyer = createBuyer({
    placing: desk.placing,
    planOf: (_, planId) => plans.get(planId) ?? null,
    onOrder({ key, state }) {
      const one = decided.get(key);
      if (!one) return;
      if (state === 'refused') times.refused += 1;
      else one.storedMs.push(performance.now() - one.at);
      decided.delete(key);
      load.money.buy(one.buy);
    },
    onStored() {},
    clock: { now: load.now },
    log: pino({ level: 'warn' }, pino.destination(2)),
  });
  const buy = (one: Buy): void => {
    decided.set(one.key, { buy: one, at: performance.now(), storedMs });
    buyer.buy(one);
  };
  const allStored = async () => {
    while (decided.size > 0) await pause(TICK_MS);
  };

  const startedAt = performance.now();
  for (let ms = TICK_MS; ms <= WARM_UP_MS + seconds * 1_000; ms += TICK_MS) {
    const due = startedAt + ms;
    await pause(Math.max(0, due - performance.now()));
    if (ms > WARM_UP_MS) {
      storedMs = times.storedMs;
      times.lateMs.push(performance.now() - due);
    }
    const now = load.now() + TICK_MS;
    load.step(now, load.tick(now, updatesPerSecond), buy);
  }
  await allStored();
  storedMs = times.burstMs;
  for (const [index, plan] of atOnce.entries()) buy(buyOf(plan, load.market.addresses[index] ?? '', load.now()));
  await allStored();
  await buyer.stop();
  await desk.stopWorkers();
  return times;
}

function buyOf(plan: CorePlan, address: string, now: number): Buy {
  const { id: planId, userId, lamports, slippageBps, activeSince: planSince } = plan;
  const key = buyKey(planId, address);
  return { ...{ key, planId, userId, address, lamports, slippageBps, planSince }, observedAt: now, decidedAt: now };
}
