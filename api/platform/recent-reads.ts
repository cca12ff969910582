import type { Clock } from '../../common/time.ts';
import { createGrowingCache } from './growing-cache.ts';

/** Values by key that are read at most once in `maxAge`. */
export interface RecentReads<Value> {
  /**
   * Resolves with the value of `key`; concurrent callers share one read. Rejects with the error of the read, which is not
   * kept; neither is null.
   */
  get(key: string): Promise<Value | null>;
  /** Returns the value that `get` would resolve with at once; undefined when it has to be read. */
  known(key: string): Value | undefined;
  /** Forgets the value of `key`, and the result of a read that is running: the next `get` reads again. */
  drop(key: string): void;
  /** Forgets all values. */
  clear(): void;
}

export interface RecentReadsOptions {
  /** How long a value is reused after its read began, ms. */
  maxAge: number;
  /** Most keys kept; the least recently used go first. */
  max: number;
  /** Monotonic time, ms. */
  clock: Clock;
}

export function createRecentReads<Value>(
  read: (key: string) => Promise<Value | null>,
  { maxAge, max, clock }: RecentReadsOptions,
): RecentReads<Value> {
  // Without the library's `fetch`, which keeps a value for `maxAge` from the end of its read and takes 3 objects a call.
  const reads = createGrowingCache<{ started: Promise<Value | null>; value?: Value }>(max, {
    ttl: maxAge,
    ttlResolution: 0,
    perf: clock,
  });

  return {
    get(key) {
      const recent = reads.get(key);
      if (recent !== undefined) return recent.started;
      const made: { started: Promise<Value | null>; value?: Value } = { started: read(key) };
      reads.set(key, made);
      const forget = () => {
        if (reads.peek(key) === made) reads.delete(key);
      };
      made.started.then((value) => {
        if (value === null) forget();
        else made.value = value;
      }, forget);
      return made.started;
    },
    known: (key) => reads.get(key)?.value,
    drop: (key) => void reads.delete(key),
    clear: () => reads.clear(),
  };
}
