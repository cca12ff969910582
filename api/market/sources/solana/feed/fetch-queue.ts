/** Fetches one after the other what a budget allows, the most useful first. */
export interface FetchQueue {
  /** Queues a transaction; `isUrgent`: before all others. Never throws. */
  push(signature: string, isUrgent: boolean): void;
  /** Returns the number of transactions that were dropped for newer ones. */
  dropped(): number;
  stop(): void;
}

/**
 * Creates a queue of transactions to fetch: urgent ones in their order, then the newest. The oldest of the others is dropped
 * when too many wait.
 *
 * @param options.fetch must not reject
 */
export function createFetchQueue(options: {
  fetch: (signature: string) => Promise<void>;
  inFlight: number;
  waiting: number;
}): FetchQueue {
  const { fetch, inFlight, waiting } = options;
  const urgent: string[] = [];
  const others: string[] = [];
  let running = 0;
  let dropped = 0;
  let stopped = false;

  function next(): void {
    while (running < inFlight && !stopped) {
      const signature = urgent.shift() ?? others.pop();
      if (signature === undefined) return;
      running += 1;
      void fetch(signature).finally(() => {
        running -= 1;
        next();
      });
    }
  }

  return {
    push(signature, isUrgent) {
      (isUrgent ? urgent : others).push(signature);
      if (urgent.length + others.length > waiting) {
        if (others.shift() === undefined) urgent.shift();
        dropped += 1;
      }
      next();
    },
    dropped: () => dropped,
    stop() {
      stopped = true;
    },
  };
}
