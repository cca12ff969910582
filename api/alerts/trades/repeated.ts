/** Work that runs once at a time. */
export interface Repeated {
  /** Runs it, unless it runs. */
  soon(): void;
  /** Runs it, also after a run in progress, which may have read before. */
  again(): void;
  /** Resolves when it does not run. */
  settled(): Promise<void>;
}

/** Creates the runs of `work`, which never rejects. None begins after `signal` has aborted. */
export function createRepeated(work: () => Promise<void>, signal: AbortSignal): Repeated {
  let running: Promise<void> | null = null;
  let isDue = false;

  async function runWhileDue(): Promise<void> {
    do {
      isDue = false;
      await work();
    } while (isDue && !signal.aborted);
    running = null;
  }

  function soon(): void {
    if (!signal.aborted) running ??= runWhileDue();
  }

  return {
    soon,
    again() {
      isDue = true;
      soon();
    },
    settled: async () => running ?? undefined,
  };
}
