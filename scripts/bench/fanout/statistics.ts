export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function shuffled<Value>(values: readonly Value[], random: () => number = Math.random): Value[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

const BUCKET_MS = 0.1;
const BUCKETS = 100_000;

/** Creates a histogram for many times in little memory: exact to 0.1 ms up to 10 s. */
export function createHistogram() {
  const counts = new Uint32Array(BUCKETS);
  let count = 0;
  let max = 0;
  return {
    add(ms: number): void {
      const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.ceil(ms / BUCKET_MS)));
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      count += 1;
      max = Math.max(max, ms);
    },
    totals: () => ({ count, max }),
    /** Returns the time below which `share` (0–1) of all times lie, ms. */
    percentile(share: number): number {
      let left = Math.ceil(count * share);
      for (const [bucket, inBucket] of counts.entries()) {
        left -= inBucket;
        if (left <= 0) return bucket * BUCKET_MS;
      }
      return Number.NaN;
    },
  };
}
