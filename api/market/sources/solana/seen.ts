/** Remembers the newest `limit` keys, so that something heard twice counts once without the memory growing. */
export function createSeen(limit: number): Seen {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add(key) {
      if (keys.has(key)) return false;
      keys.add(key);
      if (keys.size > limit) {
        // A set lists its keys in the order they came: the first is the oldest.
        const [oldest] = keys;
        if (oldest !== undefined) keys.delete(oldest);
      }
      return true;
    },
    size: () => keys.size,
  };
}

export interface Seen {
  has(key: string): boolean;
  /** False when it was there already. */
  add(key: string): boolean;
  size(): number;
}
