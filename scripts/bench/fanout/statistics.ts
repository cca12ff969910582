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

/** Percentiles of very many times in little memory: exact to 0.1 ms up to 10 s. */
export class Histogram {
  readonly #counts = new Uint32Array(BUCKETS);
  count = 0;
  max = 0;

  add(ms: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.ceil(ms / BUCKET_MS)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.count += 1;
    this.max = Math.max(this.max, ms);
  }

  /** The time below which `share` (0–1) of all are, ms. */
  percentile(share: number): number {
    let left = Math.ceil(this.count * share);
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return bucket * BUCKET_MS;
    }
    return Number.NaN;
  }
}
