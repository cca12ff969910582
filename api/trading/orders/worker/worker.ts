import type { Logger } from 'pino';
import { isAway } from '../../../../common/errors.ts';
import { type Random, SECOND } from '../../../../common/time.ts';
import { isUnavailable } from '../../../platform/database.ts';
import { backoff, pause } from '../../../platform/resilience.ts';
import type { Lease } from '../../../processes/lease.ts';
import type { TradeQuote } from '../../executors/executor.ts';
import { isNodeAway } from '../../executors/trading-node.ts';
import { holdingKey, holdingOf } from '../../positions/model.ts';
import type { OrderRecord } from '../model.ts';
import type { Orders } from '../store.ts';
import { createStep, type Progress, type Step, type StepDeps } from './steps.ts';

/** Interval in which orders without a task are found, ms. */
const RESCAN_MS = SECOND;

export interface WorkerDeps extends StepDeps {
  openIds(): Promise<string[]>;
  lease: Pick<Lease, 'isHeld'>;
  random: Random;
  log: Logger;
}

export type OrderWorker = ReturnType<typeof createOrderWorker>;

/** Works on every order that is not over, each by itself, while it holds the lease. */
export function createOrderWorker(deps: WorkerDeps) {
  const { orders, lease, openIds, random, log } = deps;
  const stopping = new AbortController();
  const mayWork = () => !stopping.signal.aborted && lease.isHeld();
  const tasks = createTasks({ orders, step: createStep(deps), mayWork, random, log });
  let looping: Promise<void> | null = null;

  /** Takes orders that an earlier process left, or that another one has stored. */
  async function round(): Promise<void> {
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
    /** Starts to work; resolves at once. */
    start(): void {
      looping ??= loop();
    },
    /** Has an order looked at now: one that was just made, or one that another writer changed. */
    wake: tasks.wake,
    /** Ends all work after the present steps. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([looping, tasks.stop()]);
    },
    /** Returns the number of orders that are being worked on. */
    active: tasks.active,
  };
}

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

/** Ends the pauses of the paper orders of a holding: they may have waited for this one (`paper/paper-look.ts`). */
function endRests(tasks: Iterable<Task>, closed: OrderRecord): void {
  if (closed.mode !== 'paper') return;
  const holding = holdingKey(holdingOf(closed));
  for (const { order, rest: pausing } of tasks) {
    if (order?.mode === 'paper' && holdingKey(holdingOf(order)) === holding) pausing.abort();
  }
}

interface TasksDeps extends Pick<WorkerDeps, 'random' | 'log'> {
  orders: Pick<Orders, 'find'>;
  step: Step;
  /** Whether this process may work at this moment. */
  mayWork(): boolean;
}

/** Creates the orders in work, each followed by itself until it is closed. */
export function createTasks({ orders, step, mayWork, random, log }: TasksDeps) {
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
    if (order) endRests(tasks.values(), order);
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
    /** Begins to follow an order that may be followed already. */
    take(id: string): void {
      if (!tasks.has(id)) begin(id, null);
    },
    /** Begins to follow an order, which is not read first if it was just made; has it read again if it is followed already. */
    wake(id: string, made?: MadeOrder): void {
      const task = tasks.get(id);
      if (task) task.rest.abort();
      else begin(id, made ?? null);
    },
    /** Ends all pauses. Resolves when no order is followed. */
    async stop(): Promise<void> {
      isStopping = true;
      for (const task of tasks.values()) task.rest.abort();
      await Promise.all(running);
    },
    active: (): number => tasks.size,
  };
}
