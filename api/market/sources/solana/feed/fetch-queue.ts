export type FetchQueue<Item> = ReturnType<typeof createFetchQueue<Item>>;

/**
 * Creates a queue of items to fetch: urgent ones in their order, then the newest. The oldest of the others is dropped when too
 * many wait.
 *
 * @param options.fetch must not reject
 * @param options.onDrop receives an item that was dropped for newer ones
 */
export function createFetchQueue<Item>(options: {
  fetch: (item: Item) => Promise<void>;
  inFlight: number;
  waiting: number;
  onDrop?: (item: Item) => void;
}) {
  const { fetch, inFlight, waiting, onDrop } = options;
  const urgent: Item[] = [];
  const others: Item[] = [];
  let running = 0;
  let stopped = false;

  function next(): void {
    while (running < inFlight) {
      const item = urgent.shift() ?? others.pop();
      if (item === undefined) return;
      running += 1;
      void fetch(item).finally(() => {
        running -= 1;
        next();
      });
    }
  }

  return {
    /** Queues items; `isUrgent`: before all others. Never throws. */
    push(items: readonly Item[], isUrgent = false): void {
      if (stopped) return;
      (isUrgent ? urgent : others).push(...items);
      while (urgent.length + others.length > waiting) {
        const dropped = others.shift() ?? urgent.shift();
        if (dropped !== undefined) onDrop?.(dropped);
      }
      next();
    },
    /** Returns the number of items that wait or are being fetched. */
    size: () => urgent.length + others.length + running,
    /** Fetches nothing more. */
    stop(): void {
      stopped = true;
      urgent.length = 0;
      others.length = 0;
    },
  };
}
