/** Longest measured latency, ms; a greater one belongs to a recording replayed with its own times. */
const LONGEST = 60_000;
/** Span of the figures, ms, in slots of equal length. */
const SPAN = 60_000;
const SLOTS = 12;
const SLOT = SPAN / SLOTS;
/** Width of each bucket relative to the previous one: figures are accurate to about a tenth. */
const FACTOR = 1.2;
const BUCKETS = Math.ceil(Math.log(LONGEST) / Math.log(FACTOR)) + 1;

/** Time from receiving an observation to publishing its result, ms; null without one in the last minute. */
export interface PublishLatency {
  p50: number | null;
  p99: number | null;
}

/** Creates a histogram of latencies within the last minute; a few kilobytes at any load. */
export function createLatencyMeter() {
  const slots = Array.from({ length: SLOTS }, () => ({ since: Number.NEGATIVE_INFINITY, counts: noCounts() }));
  return {
    /** Records observations received at these times and published now, epoch ms. */
    record(receivedAt: readonly number[], now: number): void {
      const since = Math.floor(now / SLOT) * SLOT;
      const slot = slots[(since / SLOT) % SLOTS];
      if (slot === undefined) return;
      if (slot.since !== since) Object.assign(slot, { since, counts: noCounts() });
      for (const at of receivedAt) {
        const latency = now - at;
        if (latency > LONGEST) continue;
        const bucket = bucketOf(latency);
        slot.counts[bucket] = (slot.counts[bucket] ?? 0) + 1;
      }
    },
    read(now: number): PublishLatency {
      const counts = noCounts();
      for (const slot of slots) {
        if (now - slot.since > SPAN) continue;
        for (const [bucket, count] of slot.counts.entries()) counts[bucket] = (counts[bucket] ?? 0) + count;
      }
      return { p50: percentile(counts, 0.5), p99: percentile(counts, 0.99) };
    },
  };
}

function noCounts(): Uint32Array {
  return new Uint32Array(BUCKETS);
}

/** Returns the bucket of a latency. A clock that was set back makes it negative, which counts as 0. */
function bucketOf(ms: number): number {
  return Math.min(BUCKETS - 1, ms <= 1 ? 0 : Math.ceil(Math.log(ms) / Math.log(FACTOR)));
}

/** Returns the upper bound of the bucket that contains this share, whole ms. */
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
