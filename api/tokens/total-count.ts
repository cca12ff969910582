import type { Clock } from '../../common/time.ts';

/** Greatest age of a count, ms: every list carries it, and counting takes time in proportion to the tokens. */
const MAX_AGE = 2_000;

/** Resolves with the count. `clear` makes the next call count again, after many documents were removed at once. */
export type TotalCount = (() => Promise<number>) & { clear(): void };

/** Creates a count that runs at most once every two seconds; concurrent callers share one run. */
export function createTotalCount(count: () => Promise<number>, clock: Clock): TotalCount {
  let latest: { at: number; isDone: boolean; total: Promise<number> } | null = null;

  function total(): Promise<number> {
    if (latest && (!latest.isDone || clock.now() - latest.at < MAX_AGE)) return latest.total;
    const entry = { at: clock.now(), isDone: false, total: count() };
    latest = entry;
    entry.total.then(
      () => {
        entry.isDone = true;
      },
      () => {
        // These callers get the error; the next one queries the database again.
        if (latest === entry) latest = null;
      },
    );
    return entry.total;
  }

  const clear = () => {
    latest = null;
  };
  return Object.assign(total, { clear });
}
