/** Runs `work` after all that was asked for the same key before, and passes on what comes of it. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * One after the other, key by key: so that what is told of a user's changes comes in the order in which they were made.
 * What must hold between processes too is the database's business, not this one's. Holds nothing for a key that is idle.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();

  return function inTurn(key, work) {
    // Whoever was before gets its own failure; here it only means that it is over.
    const before = last.get(key)?.catch(() => {}) ?? Promise.resolve();
    const mine = before.then(work);
    last.set(key, mine);
    const leave = () => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(leave, leave);
    return mine;
  };
}
