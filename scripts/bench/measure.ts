import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

/** The value below which the share (0–1) of the values lies; NaN without values. Sorts in place. */
export function percentile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

/**
 * Watches what is left on the heap after each full garbage collection, without forcing one: a forced collection would stop
 * the process for longer than any real one. `stop` gives the least that was left in the first and in the last third, bytes.
 */
export function createHeapWatch(): { stop(): { first: number; last: number } } {
  const begun = performance.now();
  const readings: { at: number; used: number }[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR) {
        readings.push({ at: performance.now(), used: process.memoryUsage().heapUsed });
      }
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    stop() {
      observer.disconnect();
      const third = (performance.now() - begun) / 3;
      const least = (part: typeof readings) => Math.min(...part.map(({ used }) => used));
      return {
        first: least(readings.filter(({ at }) => at - begun <= third)),
        last: least(readings.filter(({ at }) => at - begun >= 2 * third)),
      };
    },
  };
}

function kindOf(entry: PerformanceEntry): unknown {
  // The types leave out `detail`, which entries of garbage collections have.
  const detail: unknown = Reflect.get(entry, 'detail');
  return typeof detail === 'object' && detail !== null && 'kind' in detail ? detail.kind : undefined;
}
