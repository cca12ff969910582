/** Commitment levels: how far a transaction is from being final. */
import type { TransactionRecord } from '../storage/records.ts';

/** A transaction is confirmed in the slot after its own, and final 32 slots after it, as on a healthy cluster. */
const CONFIRMED_AFTER = 1;
export const FINAL_AFTER = 32;

export const LEVELS = ['processed', 'confirmed', 'finalized'] as const;
export type Level = (typeof LEVELS)[number];
type LevelListener = (record: TransactionRecord, level: Level) => void;

interface Tracked {
  record: TransactionRecord;
  /** Index of the last level that listeners have received. */
  published: number;
}

/** Creates the levels. `isWritten`: whether a transaction is on disk; until then it is only processed. */
export function createConfirmations(currentSlot: () => number, isWritten: (signature: string) => boolean) {
  const listeners: LevelListener[] = [];
  /** Transactions that are not final yet. */
  let tracked: Tracked[] = [];

  const levelOf = ({ slot, signature }: TransactionRecord): Level => {
    const age = currentSlot() - slot;
    if (age < CONFIRMED_AFTER || !isWritten(signature)) return 'processed';
    return age < FINAL_AFTER ? 'confirmed' : 'finalized';
  };

  /** Publishes every level that a transaction has reached since the last call. */
  const publish = (one: Tracked): void => {
    const reached = LEVELS.indexOf(levelOf(one.record));
    for (const level of LEVELS.slice(one.published + 1, reached + 1)) {
      one.published += 1;
      for (const listener of listeners) listener(one.record, level);
    }
  };

  return {
    levelOf,
    onLevel: (listener: LevelListener): void => void listeners.push(listener),
    /** Publishes the levels of a transaction from now on. */
    track(record: TransactionRecord): void {
      const one = { record, published: -1 };
      tracked.push(one);
      publish(one);
    },
    /** Publishes the levels that the new slot brings. */
    advance(): void {
      for (const one of tracked) publish(one);
      tracked = tracked.filter((one) => one.published < LEVELS.length - 1);
    },
  };
}
