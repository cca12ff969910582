import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { ensureIndexes } from '../../../api/platform/database.ts';
import type { Buy } from '../../../api/trading/core/model.ts';
import { createBuyer } from '../../../api/trading/engine/buyer.ts';
import { createOrderFills } from '../../../api/trading/orders/order-fills.ts';
import { createPaperBook } from '../../../api/trading/paper/paper-book.ts';
import { createPaperDelay } from '../../../api/trading/paper/paper-delay.ts';
import { createPaperExecutor } from '../../../api/trading/paper/paper-executor.ts';
import { createDesk, type Desk, testCoin } from '../../../api/trading/testing/desk.ts';
import type { BenchLoad } from './load.ts';
import { TICK_MS } from './load.ts';

/** Times from decisions until their orders were stored, ms, and how many were refused. */
export interface StoredTimes {
  storedMs: number[];
  refused: number;
  /** How late ticks began, ms. */
  lateMs: number[];
}

/** Orders on paper over a real database, with a worker that fills them. */
async function openPaperDesk(connection: Connection, { market, plans }: BenchLoad): Promise<Desk> {
  const clock = { now: Date.now };
  let desk: Desk | undefined;
  const sources = () => {
    if (!desk) throw new Error('no desk');
    const { accounts, positions, models } = desk;
    return { accounts, positions, orderFills: createOrderFills(models.orders) };
  };
  const coin = (address: string) => {
    const { reserves, price } = market.priceOf(address, Date.now());
    return { ...testCoin(address), launchpad: 'simulator', reserves, price };
  };
  const executor = createPaperExecutor({
    market: { coin: async (address) => coin(address), hasMerged: () => true, stepAt: () => null },
    book: createPaperBook(sources),
    delay: createPaperDelay({ samples: async () => [], clock }),
    clock,
  });
  desk = await createDesk({ connection, executor, server: 'paper' });
  await ensureIndexes(desk.models.orders);
  for (const { userId } of plans) desk.wallets.set(userId, { walletAddress: userId, hasKey: true });
  desk.startWorker();
  return desk;
}

/** Runs the load in real time for some seconds, with its purchases made as orders. */
export async function runStored(connection: Connection, load: BenchLoad, seconds: number): Promise<StoredTimes> {
  const desk = await openPaperDesk(connection, load);
  const times: StoredTimes = { storedMs: [], refused: 0, lateMs: [] };
  const decided = new Map<string, { buy: Buy; at: number }>();
  const plans = new Map(load.plans.map((plan) => [plan.id, plan]));
  const buyer = createBuyer({
    placing: desk.placing,
    planOf: (_, planId) => plans.get(planId) ?? null,
    onOrder({ key, state }) {
      const one = decided.get(key);
      if (!one) return;
      if (state === 'refused') times.refused += 1;
      else times.storedMs.push(performance.now() - one.at);
      decided.delete(key);
      load.money.buy(one.buy);
    },
    onStored() {},
    clock: { now: load.now },
    log: pino({ level: 'warn' }, pino.destination(2)),
  });
  const startedAt = performance.now();
  for (let number = 1; number <= (seconds * 1_000) / TICK_MS; number += 1) {
    const due = startedAt + number * TICK_MS;
    await pause(Math.max(0, due - performance.now()));
    times.lateMs.push(performance.now() - due);
    const now = load.now() + TICK_MS;
    load.step(now, load.tick(now), (buy) => {
      decided.set(buy.key, { buy, at: performance.now() });
      buyer.buy(buy);
    });
  }
  while (decided.size > 0) await pause(TICK_MS);
  await buyer.stop();
  await desk.stopWorkers();
  return times;
}
