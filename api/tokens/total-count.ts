import type { Clock } from '../../common/time.ts';

/** A count is told for this long (ms): everyone asks for it with every list, and it takes as long as there are tokens. */
const MAX_AGE = 2000;

/** Gives the count; `forget` makes the next asker have it counted anew, for when many went at once. */
export type TotalCount = (() => Promise<number>) & { forget(): void };

/** Counts at most once every two seconds, and once for all who ask meanwhile. */
export function createTotalCount(count: () => Promise<number>, clock: Clock): TotalCount {
  let counted: { at: number; isDone: boolean; total: Promise<number> } | null = null;

  function total(): Promise<number> {
    if (counted && (!counted.isDone || clock.now() - counted.at < MAX_AGE)) return counted.total;
    const entry = { at: clock.now(), isDone: false, total: count() };
    counted = entry;
    entry.total.then(
      () => {
        entry.isDone = true;
      },
      () => {
        // The askers get the error; the next one shall ask the database again.
        if (counted === entry) counted = null;
      },
    );
    return entry.total;
  }

  const forget = () => {
    counted = null;
  };
  return Object.assign(total, { forget });
}
