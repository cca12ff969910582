/**
 * How long to wait before attempt `attempt` (0 is the first repetition), ms: doubled each time up to `max`, and somewhere
 * between half and all of that, so that many clients cut off at once do not come back at once.
 */
export function backoff(attempt: number, options: { base: number; max: number; random: () => number }): number {
  const full = Math.min(options.max, options.base * 2 ** attempt);
  return full / 2 + (full / 2) * options.random();
}

/** Waits, or ends early (without an error) when `signal` aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
