/** What is older than that, ms, when it is published was handed in as history: no delay of ours. */
const LONGEST = 60_000;
/** Figures are of the last minute, kept in so many slots. */
const SPAN = 60_000;
const SLOTS = 12;
const SLOT = SPAN / SLOTS;
/** Each bucket is this much wider than the one before: a figure is right to about a tenth. */
const FACTOR = 1.2;
const BUCKETS = Math.ceil(Math.log(LONGEST) / Math.log(FACTOR)) + 1;

/** From receiving an observation to publishing what came of it, ms. Null without one in the last minute. */
export interface Lag {
  p50: number | null;
  p99: number | null;
}

/** Counts by how long observations took; a few kilobytes, however many there are. */
export class LagMeter {
  readonly #slots = Array.from({ length: SLOTS }, () => ({ since: Number.NEGATIVE_INFINITY, counts: noCounts() }));

  /** Observations that were received at these times are published now, epoch ms. */
  published(receivedAt: readonly number[], now: number): void {
    const since = Math.floor(now / SLOT) * SLOT;
    const slot = this.#slots[(since / SLOT) % SLOTS];
    if (slot === undefined) return;
    if (slot.since !== since) Object.assign(slot, { since, counts: noCounts() });
    for (const at of receivedAt) {
      const took = now - at;
      if (took > LONGEST) continue;
      const bucket = bucketOf(took);
      slot.counts[bucket] = (slot.counts[bucket] ?? 0) + 1;
    }
  }

  read(now: number): Lag {
    const counts = noCounts();
    for (const slot of this.#slots) {
      if (now - slot.since > SPAN) continue;
      for (const [bucket, count] of slot.counts.entries()) counts[bucket] = (counts[bucket] ?? 0) + count;
    }
    return { p50: percentile(counts, 0.5), p99: percentile(counts, 0.99) };
  }
}

function noCounts(): Uint32Array {
  return new Uint32Array(BUCKETS);
}

/** A clock that was set back makes a time negative: that counts as none. */
function bucketOf(ms: number): number {
  return Math.min(BUCKETS - 1, ms <= 1 ? 0 : Math.ceil(Math.log(ms) / Math.log(FACTOR)));
}

/** The upper bound of the bucket that the share of all falls into, whole ms. */
function percentile(counts: Uint32Array, share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    below += count;
    if (below >= all * share) return Math.round(FACTOR ** bucket);
  }
  return null;
}
