import type { Logger } from 'pino';
import { type Random, SECOND } from '../../../../common/time.ts';
import { isUnavailable } from '../../../platform/database.ts';
import { pause } from '../../../platform/resilience.ts';
import { attemptRows } from '../attempt-rows.ts';
import type { OrderRecord } from '../record.ts';
import { createAttempt } from './attempt.ts';
import type { Lease } from './lease.ts';
import { createLook } from './look.ts';
import { createMoney } from './money.ts';
import { nextAction } from './next-action.ts';
import { changing, type Step, type StepDeps, type Stepped } from './step.ts';
import { createTasks, type MadeOrder } from './tasks.ts';

/** Interval in which the lease is renewed and new orders of other processes are found, ms. */
const RENEW_MS = 3 * SECOND;
const RESCAN_MS = SECOND;

/** Works on every order that is not over, each by itself, while it holds the lease. */
export interface OrderWorker {
  /** Starts to take the lease and to work; resolves at once. */
  start(): void;
  /** Has an order looked at now: one that was just made, or one that another writer changed. */
  wake(orderId: string, made?: MadeOrder): void;
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

export function createOrderWorker(deps: WorkerDeps): OrderWorker {
  const { orders, lease, openIds, random, log } = deps;
  const stopping = new AbortController();
  const mayWork = () => !stopping.signal.aborted && lease.isHeld();
  const tasks = createTasks({ orders, step: createStep(deps), mayWork, random, log });
  let looping: Promise<void> | null = null;
  let renewedAt = 0;

  /** Keeps the lease, and takes orders that an earlier process left, or that another one has stored. */
  async function round(): Promise<void> {
    if (!lease.isHeld() || performance.now() - renewedAt >= RENEW_MS) {
      if (await lease.renew()) renewedAt = performance.now();
    }
    if (!mayWork()) return;
    for (const id of await openIds()) tasks.take(id);
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round();
      } catch (error) {
        if (!isUnavailable(error)) log.warn({ error }, 'orders not read, retrying');
      }
      await pause(RESCAN_MS, stopping.signal);
    }
  }

  return {
    start() {
      looping ??= loop();
    },
    wake: tasks.wake,
    async stop() {
      stopping.abort();
      await Promise.all([looping, tasks.stop()]);
      await lease.release();
    },
    active: tasks.active,
  };
}

/** Creates the function that does the next action of an order. */
function createStep(deps: StepDeps): Step {
  const changed = changing(deps.orders);
  const look = createLook(deps);
  const attempt = createAttempt(deps, look);
  const { hold, finish } = createMoney(deps);

  /** Shows a change in the list of transactions, which no step waits for: the last one of an order writes it in any case. */
  function shown(before: OrderRecord, stepped: Stepped): Stepped {
    const { order } = stepped;
    if (order?.open && order.version !== before.version && order.attempts.length > 0) {
      deps.transactions.recordTrades(attemptRows(order)).catch(() => {});
    }
    return stepped;
  }

  const next: Step = async (order, progress) => {
    const action = nextAction(order, deps.clock.now());
    switch (action.type) {
      case 'hold':
        return (await hold(order, progress)) ?? attempt(order, progress);
      case 'attempt':
        return attempt(order, progress);
      case 'look':
        return look(order, progress);
      case 'cancel':
        return changed(order, [{ type: 'cancelled', failure: action.reason }]);
      case 'give-up':
        return changed(order, [{ type: 'given-up', failure: action.reason }]);
      case 'overdue':
        return changed(order, [{ type: 'overdue' }]);
      case 'finish':
        return finish(order, progress);
    }
  };
  return async (order, progress) => shown(order, await next(order, progress));
}
