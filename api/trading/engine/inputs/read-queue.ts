import type { CoreOrder } from '../../core/model.ts';

/** Users that are read at once. */
const READS = 8;

/** A user to read, with the orders whose progress follows. */
interface Pending {
  orders: CoreOrder[];
  timer: NodeJS.Timeout | null;
}

/** Users to read again: each one at a time, some users at once. */
export interface ReadQueue {
  /** Has a user read after `delay` (ms), or with a read that is due before. */
  mark(userId: string, delay: number, orders?: readonly CoreOrder[]): void;
  /** Returns whether a user is to be read, or is being read. */
  has(userId: string): boolean;
  /** Ends all work. */
  close(): void;
}

/** `read` gets the orders that were marked before it began. It must not reject. */
export function createReadQueue(read: (userId: string, orders: CoreOrder[]) => Promise<void>): ReadQueue {
  const pending = new Map<string, Pending>();
  const due = new Set<string>();
  const reading = new Set<string>();
  let isClosed = false;

  function readNext(): void {
    for (const userId of due) {
      if (isClosed || reading.size >= READS) return;
      // Once more after the read in progress.
      if (reading.has(userId)) continue;
      due.delete(userId);
      reading.add(userId);
      void readUser(userId);
    }
  }

  async function readUser(userId: string): Promise<void> {
    const marked = pending.get(userId);
    const orders = marked?.orders.splice(0) ?? [];
    if (marked?.timer === null) pending.delete(userId);
    await read(userId, orders);
    reading.delete(userId);
    readNext();
  }

  return {
    mark(userId, delay, orders = []) {
      if (isClosed) return;
      const one = pending.get(userId) ?? { orders: [], timer: null };
      pending.set(userId, one);
      one.orders.push(...orders);
      if (one.timer !== null || due.has(userId)) return;
      one.timer = setTimeout(() => {
        one.timer = null;
        due.add(userId);
        readNext();
      }, delay);
    },
    has: (userId) => pending.has(userId) || reading.has(userId),
    close() {
      isClosed = true;
      for (const { timer } of pending.values()) if (timer) clearTimeout(timer);
    },
  };
}
