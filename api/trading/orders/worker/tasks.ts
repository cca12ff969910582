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

/** One order in work. `rest` ends its present pause. */
interface Task {
  /** The order as it was stored, until it was read. */
  made: OrderRecord | null;
  /**
   * Wallet and coin of an order on paper, which is computed once the earlier ones are in their positions (`paper/paper-look.ts`);
   * null until it was read, and for one on a chain, which waits for no other.
   */
  paperHolding: string | null;
  progress: Progress;
  rest: AbortController;
  /** Set when the order was changed by another writer. */
  isStale: boolean;
}

function newTask(made: MadeOrder | null): Task {
  const progress = { quote: made?.quote ?? null, firstSentAt: null, sentAt: new Map<string, number>() };
  return { made: made?.order ?? null, paperHolding: null, progress, rest: new AbortController(), isStale: false };
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
  const stopping = new AbortController();

  async function rest(task: Task, ms: number): Promise<void> {
    if (ms === 0 || task.isStale || stopping.signal.aborted) return;
    await pause(ms, task.rest.signal);
    task.rest = new AbortController();
  }

  async function follow(id: string, task: Task): Promise<void> {
    let order = task.made ?? (await orders.find(id));
    task.made = null;
    if (order?.mode === 'paper') task.paperHolding = holdingKey(holdingOf(order));
    while (order?.open && mayWork()) {
      if (task.isStale) {
        task.isStale = false;
        order = await orders.find(id);
        continue;
      }
      const { order: next, delay } = await step(order, task.progress);
      order = next;
      if (delay === null) break;
      await rest(task, delay);
    }
    if (order?.open === false && task.paperHolding !== null) endRests(task.paperHolding);
  }

  /** Ends the pauses of the paper orders of a holding: they may have waited for one that has ended. */
  function endRests(holding: string): void {
    for (const { paperHolding, rest: pausing } of tasks.values()) if (paperHolding === holding) pausing.abort();
  }

  /** Follows an order through outages: a failed step is repeated from the stored state. */
  async function followThrough(id: string, task: Task): Promise<void> {
    for (let failures = 0; mayWork(); failures += 1) {
      try {
        await follow(id, task);
        return;
      } catch (error) {
        const isOutage = isAway(error) || isUnavailable(error) || isNodeAway(error);
        if (failures === 0 && !isOutage) log.warn({ order: id, error }, 'order failed, retrying');
        // The order is read again in any case; a change while it rests still ends the pause.
        task.isStale = false;
        await rest(task, backoff(Math.min(failures, 10), { ...AGAIN, random }));
      }
    }
  }

  function begin(id: string, made: MadeOrder | null): void {
    if (!mayWork()) return;
    const task = newTask(made);
    tasks.set(id, task);
    const done = followThrough(id, task).finally(() => {
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
      task.isStale = true;
      task.rest.abort();
    },
    async stop() {
      stopping.abort();
      for (const task of tasks.values()) task.rest.abort();
      await Promise.all(running);
    },
    active: () => tasks.size,
  };
}
