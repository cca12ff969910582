import type { Logger } from 'pino';
import { isAway } from '../../../../common/errors.ts';
import { type Random, SECOND } from '../../../../common/time.ts';
import { isUnavailable } from '../../../platform/database.ts';
import { loggable } from '../../../platform/log.ts';
import { backoff, pause } from '../../../platform/resilience.ts';
import type { TradeQuote } from '../../executors/executor.ts';
import type { Lease } from './lease.ts';
import { createStep, type Progress, type StepDeps } from './steps.ts';

/** Interval in which the lease is renewed and new orders of other processes are found, ms. */
const RENEW_MS = 3 * SECOND;
const RESCAN_MS = SECOND;
/** Pauses after a failed step: the node or the database is away. */
const AGAIN = { base: 250, max: 5_000 };

/** Works on every order that is not over, each by itself, while it holds the lease. */
export interface OrderWorker {
  /** Starts to take the lease and to work; resolves at once. */
  start(): void;
  /** Has an order looked at now: a new one with the quote it was made by, or one that was changed by somebody else. */
  wake(orderId: string, quote?: TradeQuote): void;
  /** Ends all work after the present steps. */
  stop(): Promise<void>;
  /** Returns the number of orders that are being worked on. */
  active(): number;
}

export interface WorkerDeps extends StepDeps {
  openIds(): Promise<string[]>;
  lease: Lease;
  random: Random;
  log: Logger;
}

/** One order in work. `rest` ends its present pause. */
interface Task {
  progress: Progress;
  rest: AbortController;
  /** Set when the order was changed by another writer. */
  isStale: boolean;
}

export function createOrderWorker(deps: WorkerDeps): OrderWorker {
  const { orders, lease, openIds, random, log } = deps;
  const step = createStep(deps);
  const tasks = new Map<string, Task>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  const mayWork = () => !stopping.signal.aborted && lease.isHeld();

  async function rest(task: Task, ms: number): Promise<void> {
    if (ms === 0 || task.isStale) return;
    await pause(ms, task.rest.signal);
    task.rest = new AbortController();
  }

  /** Works on an order until it is closed. */
  async function follow(id: string, task: Task): Promise<void> {
    let order = await orders.find(id);
    while (order?.open && mayWork()) {
      if (task.isStale) {
        task.isStale = false;
        order = await orders.find(id);
        continue;
      }
      const { order: next, delay } = await step(order, task.progress);
      if (delay === null) return;
      order = next;
      await rest(task, delay);
    }
  }

  /** Follows an order through outages: whatever fails is tried again from its stored state. */
  async function followThrough(id: string, task: Task): Promise<void> {
    for (let failures = 0; mayWork(); failures += 1) {
      try {
        await follow(id, task);
        return;
      } catch (error) {
        const isOutage = isAway(error) || isUnavailable(error);
        if (failures === 0 && !isOutage) log.warn({ order: id, error: loggable(error) }, 'order failed, retrying');
        await rest(task, backoff(Math.min(failures, 10), { ...AGAIN, random }));
      }
    }
  }

  function take(id: string, quote: TradeQuote | null): void {
    if (tasks.has(id) || !mayWork()) return;
    const task: Task = { progress: { quote, sentAt: new Map() }, rest: new AbortController(), isStale: false };
    tasks.set(id, task);
    const done = followThrough(id, task).finally(() => {
      tasks.delete(id);
      running.delete(done);
    });
    running.add(done);
  }

  let renewedAt = 0;

  /** Keeps the lease, and takes orders that an earlier process left, or that another one has stored. */
  async function round(): Promise<void> {
    if (!lease.isHeld() || performance.now() - renewedAt >= RENEW_MS) {
      if (await lease.renew()) renewedAt = performance.now();
    }
    if (!mayWork()) return;
    for (const id of await openIds()) take(id, null);
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round();
      } catch (error) {
        if (!isUnavailable(error)) log.warn({ error: loggable(error) }, 'orders not read, retrying');
      }
      await pause(RESCAN_MS, stopping.signal);
    }
  }

  return {
    start() {
      const done = loop().finally(() => running.delete(done));
      running.add(done);
    },
    wake(id, quote) {
      const task = tasks.get(id);
      if (!task) {
        take(id, quote ?? null);
        return;
      }
      task.isStale = true;
      task.rest.abort();
    },
    async stop() {
      stopping.abort();
      for (const { rest: pausing } of tasks.values()) pausing.abort();
      await Promise.all(running);
      await lease.release();
    },
    active: () => tasks.size,
  };
}
