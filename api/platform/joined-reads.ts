import { createKeyedMutex } from './keyed-mutex.ts';

/** Runs a read; `read` is what every call with this key reads. */
export type JoinedReads<Result> = (key: string, read: () => Promise<Result>) => Promise<Result>;

/**
 * Creates reads that run one at a time for each key. Calls during a read share the next one, which begins after them: each call
 * gets the value at its time or a later one. Many calls at once take two reads. Keeps nothing for an idle key.
 */
export function createJoinedReads<Result>(): JoinedReads<Result> {
  const exclusive = createKeyedMutex();
  /** By key: the read that has not begun yet. */
  const next = new Map<string, Promise<Result>>();

  return (key, read) => {
    const waiting = next.get(key);
    if (waiting !== undefined) return waiting;
    const joined = exclusive(key, () => {
      next.delete(key);
      return read();
    });
    next.set(key, joined);
    return joined;
  };
}
