import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { MINUTE } from '../../common/time.ts';
import type { LossKind, MonitoredSource, SightedToken } from './sightings.ts';

const MINUTES = 60;

type Minutes = DetectionCoverage['minutes'];
type SourceFigures = DetectionCoverage['bySource'][number];

/** Counts tokens per minute of the last hour. A backfilled token counts in the minute of its creation. */
export function minutesOf(tokens: Iterable<SightedToken>, now: number): Minutes {
  const first = Math.floor(now / MINUTE) - MINUTES + 1;
  const minutes: Minutes = Array.from({ length: MINUTES }, (_, index) => ({
    at: new Date((first + index) * MINUTE).toISOString(),
    both: 0,
    only: {},
    backfill: 0,
  }));
  for (const { createdAt, firstAt, bySource } of tokens) {
    const minute = minutes[Math.floor(Math.min(createdAt ?? firstAt, firstAt) / MINUTE) - first];
    if (minute === undefined) continue;
    let live = 0;
    let lastLive = '';
    for (const [name, { backfilled }] of bySource) {
      if (backfilled) continue;
      live += 1;
      lastLive = name;
    }
    if (live === 0) minute.backfill += 1;
    else if (live > 1) minute.both += 1;
    else minute.only[lastLive] = (minute.only[lastLive] ?? 0) + 1;
  }
  return minutes;
}

/** Counts of one source. */
interface Sum {
  seen: number;
  missed: number;
  backfilled: number;
  latencies: number[];
  fromBlockTime: boolean;
}

const noSum = (): Sum => ({ seen: 0, missed: 0, backfilled: 0, latencies: [], fromBlockTime: false });

/** Counts tokens and computes latencies per source. `startedAt`: start of the server, epoch ms. */
export function sourceFigures(
  tokens: Iterable<SightedToken>,
  sources: readonly MonitoredSource[],
  startedAt: number,
): Omit<SourceFigures, LossKind>[] {
  const sums = new Map(sources.map(({ name }) => [name, noSum()]));
  for (const token of tokens) {
    const reference = referenceTime(token, startedAt);
    for (const name of token.missedBy) {
      const sum = sums.get(name);
      if (sum) sum.missed += 1;
    }
    for (const [name, { receivedAt, backfilled }] of token.bySource) {
      const sum = sums.get(name);
      if (!sum) continue;
      sum[backfilled ? 'backfilled' : 'seen'] += 1;
      // Chain times have a resolution of one second and clocks differ, so a difference may be negative.
      if (reference === null || backfilled) continue;
      sum.latencies.push(Math.max(0, receivedAt - reference));
      sum.fromBlockTime ||= token.createdAt !== null;
    }
  }
  return sources.map(({ name, unreadableVersions }) => {
    const { seen, missed, backfilled, latencies, fromBlockTime } = sums.get(name) ?? noSum();
    // A typed array sorts numbers without a comparing function, which is many times faster.
    const sorted = Float64Array.from(latencies).sort();
    return {
      source: name,
      seen,
      missed,
      backfilled,
      latencyP50: percentile(sorted, 50),
      latencyP99: percentile(sorted, 99),
      fromBlockTime,
      unreadableVersions: [...unreadableVersions],
    };
  });
}

/**
 * Returns the time from which latency is measured: the creation on chain, else the first of several reports. Null when there
 * is nothing to compare with, or when the token was created before the server started.
 */
function referenceTime({ createdAt, bySource, firstAt }: SightedToken, startedAt: number): number | null {
  if (createdAt !== null) return createdAt < startedAt ? null : createdAt;
  return bySource.size > 1 ? firstAt : null;
}

/** Returns the value that `percent` percent of the sorted values do not exceed (nearest rank); null without values. */
function percentile(sorted: ArrayLike<number>, percent: number): number | null {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}
