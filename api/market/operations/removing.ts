/** Receives pinned tokens that are about to be removed. The removal waits for it. */
export type OnRemoving = (addresses: readonly string[]) => Promise<void>;

/** The parts that a removal waits for, since they need the last figures of tokens. */
export interface Removing {
  emit: OnRemoving;
  /** Returns a function that ends the subscription. */
  subscribe(listener: OnRemoving): () => void;
}

export function createRemoving(): Removing {
  const listeners = new Set<OnRemoving>();
  return {
    async emit(addresses) {
      await Promise.all([...listeners].map((listener) => listener(addresses)));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
