/** Runs `work` after all earlier work of the same key, and passes on its result or error. */
export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Serializes work by key within this process, so that a user's events are emitted in the order of the changes. Exclusion
 * between processes is left to the database. Keeps nothing for an idle key.
 */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();

  return (key, work) => {
    // A failure belongs to its own caller; here it only means that the work is over.
    const previous = last.get(key)?.catch(() => {}) ?? Promise.resolve();
    const current = previous.then(work);
    last.set(key, current);
    const release = () => {
      if (last.get(key) === current) last.delete(key);
    };
    current.then(release, release);
    return current;
  };
}
