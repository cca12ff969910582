import type { Logger } from 'pino';
import { isAway } from '../../../../common/errors.ts';
import type { Random } from '../../../../common/time.ts';
import { isUnavailable } from '../../../platform/database.ts';
import { backoff, pause } from '../../../platform/resilience.ts';
import type { TradeQuote } from '../../executors/executor.ts';
import { isNodeAway } from '../../executors/trading-node.ts';
import { holdingKey, holdingOf } from '../../positions/record.ts';
import type { OrderRecord } from '../record.ts';
import type { Orders } from '../service.ts';
import type { Progress, Step } from './step.ts';

/** Pauses after a failed step: the node or the database is away. */
const AGAIN = { base: 250, max: 5_000 };

/** An order that was just stored, with the quote that it was made by. */
export interface MadeOrder {
  order: OrderRecord;
  quote: TradeQuote;
}

/** One order in work. */
interface Task {
  /** The order as this process knows it; null: to be read. */
  order: OrderRecord | null;
  progress: Progress;
  /** Ends its present pause, after which the order is read. */
  rest: AbortController;
}

function newTask(made: MadeOrder | null): Task {
  const progress = { quote: made?.quote ?? null, firstSentAt: null, sentAt: new Map<string, number>() };
  return { order: made?.order ?? null, progress, rest: new AbortController() };
}

/** The orders in work, each followed by itself until it is closed. */
export interface Tasks {
  /** Begins to follow an order, which is not read first if it was just made; has it read again if it is followed already. */
  wake(orderId: string, made?: MadeOrder): void;
  /** Begins to follow an order that may be followed already. */
  take(orderId: string): void;
  /** Ends all pauses. Resolves when no order is followed. */
  stop(): Promise<void>;
  active(): number;
}

export interface TasksDeps {
  orders: Pick<Orders, 'find'>;
  step: Step;
  /** Whether this process may work at this moment. */
  mayWork(): boolean;
  random: Random;
  log: Logger;
}

export function createTasks({ orders, step, mayWork, random, log }: TasksDeps): Tasks {
  const tasks = new Map<string, Task>();
  const running = new Set<Promise<void>>();
  let isStopping = false;

  /** Pauses a task. An order that was woken meanwhile is read again. */
  async function rest(task: Task, ms: number): Promise<void> {
    if (!isStopping) await pause(ms, task.rest.signal);
    if (!task.rest.signal.aborted) return;
    task.order = null;
    task.rest = new AbortController();
  }

  /** Ends the pauses of the paper orders of a holding: they may have waited for this one (`paper/paper-look.ts`). */
  function endRests(closed: OrderRecord): void {
    if (closed.mode !== 'paper') return;
    const holding = holdingKey(holdingOf(closed));
    for (const { order, rest: pausing } of tasks.values()) {
      if (order?.mode === 'paper' && holdingKey(holdingOf(order)) === holding) pausing.abort();
    }
  }

  /** Does the next step of an order. Resolves with false when it is closed. */
  async function advance(id: string, task: Task): Promise<boolean> {
    const order = task.order ?? (await orders.find(id));
    task.order = order;
    if (order?.open) {
      const { order: next, delay } = await step(order, task.progress);
      task.order = next;
      if (delay) await rest(task, delay);
      return true;
    }
    if (order) endRests(order);
    return false;
  }

  /** Follows an order through outages: a failed step is repeated from the stored state. */
  async function follow(id: string, task: Task): Promise<void> {
    for (let failures = 0; mayWork(); ) {
      try {
        if (!(await advance(id, task))) return;
        failures = 0;
      } catch (error) {
        const isOutage = isAway(error) || isUnavailable(error) || isNodeAway(error);
        if (failures === 0 && !isOutage) log.warn({ order: id, error }, 'order failed, retrying');
        await rest(task, backoff(Math.min(failures, 10), { ...AGAIN, random }));
        task.order = null;
        failures += 1;
      }
    }
  }

  function begin(id: string, made: MadeOrder | null): void {
    if (!mayWork()) return;
    const task = newTask(made);
    tasks.set(id, task);
    const done = follow(id, task).finally(() => {
      tasks.delete(id);
      running.delete(done);
    });
    running.add(done);
  }

  return {
    take(id) {
      if (!tasks.has(id)) begin(id, null);
    },
    wake(id, made) {
      const task = tasks.get(id);
      if (!task) return begin(id, made ?? null);
      task.rest.abort();
    },
    async stop() {
      isStopping = true;
      for (const task of tasks.values()) task.rest.abort();
      await Promise.all(running);
    },
    active: () => tasks.size,
  };
}
