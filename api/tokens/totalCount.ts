import type { Clock } from '../../realtime/clock.ts';

/** A count is told for this long (ms): everyone asks for it with every list, and it takes as long as there are tokens. */
const MAX_AGE = 2000;

/** Counts at most once every two seconds, and once for all who ask meanwhile. */
export function createTotalCount(count: () => Promise<number>, clock: Clock): () => Promise<number> {
  let counted: { at: number; total: Promise<number> } | null = null;
  let counting = false;

  return function total() {
    if (counted && (counting || clock.now() - counted.at < MAX_AGE)) return counted.total;
    counting = true;
    const entry = { at: clock.now(), total: count() };
    counted = entry;
    entry.total.then(
      () => {
        counting = false;
      },
      () => {
        // The askers get the error; the next one shall ask the database again.
        counting = false;
        counted = null;
      },
    );
    return entry.total;
  };
}
