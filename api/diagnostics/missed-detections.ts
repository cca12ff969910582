import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { HOUR, MINUTE } from '../../common/time.ts';
import type { MonitoredSource, SightedToken } from './sightings.ts';

/** Time that slower streams have to report a token, ms. */
export const GRACE = MINUTE;
const MAX_MISSED = 100;

type Missed = DetectionCoverage['missed'][number];

/** State of a source at one second. */
interface Snapshot {
  at: number;
  live: boolean;
  decodeErrors: number;
}

/** Tokens that one stream reported and another stream missed. */
export function createMissedDetections() {
  let missed: Missed[] = [];
  /** Snapshots of the last two minutes by source: a check looks at the seconds around a time one minute ago. */
  const snapshots = new Map<string, Snapshot[]>();

  return {
    /** Stores the state of the sources; to be called once a second. `now`: epoch ms. */
    snapshot(sources: readonly MonitoredSource[], now: number): void {
      for (const { name, live, losses } of sources) {
        const taken = snapshots.get(name) ?? [];
        snapshots.set(name, taken);
        taken.push({ at: now, live, decodeErrors: losses.decodeErrors ?? 0 });
        while ((taken[0]?.at ?? now) < now - 2 * GRACE) taken.shift();
      }
    },
    /** Checks which streams missed the token, and sets its next check. */
    check(token: SightedToken, sources: readonly MonitoredSource[], now: number): void {
      token.checkAt = null;
      if (!token.isComparable) return;
      const streams = sources.filter(({ kind }) => kind === 'stream');
      const first = firstLiveReport(token, streams);
      if (first === null) return;
      if (now - first.receivedAt < GRACE) {
        // A poll reported the token before the streams did.
        token.checkAt = first.receivedAt + GRACE;
        return;
      }
      for (const { name, cluster } of streams) {
        if (cluster !== first.by.cluster || token.bySource.has(name) || token.missedBy.includes(name)) continue;
        token.missedBy = [...token.missedBy, name];
        missed.unshift({
          address: token.address,
          symbol: token.symbol,
          source: name,
          seenBy: first.by.name,
          at: new Date(first.receivedAt).toISOString(),
          why: reasonOf(snapshots.get(name) ?? [], first.receivedAt),
        });
      }
      missed.length = Math.min(missed.length, MAX_MISSED);
    },
    /** Removes a miss after a late report or a backfill by `source`. */
    retract(source: string, token: SightedToken): void {
      token.missedBy = token.missedBy.filter((name) => name !== source);
      missed = missed.filter((one) => one.source !== source || one.address !== token.address);
    },
    /** Returns the latest misses of the last hour, newest first. `now`: epoch ms. */
    list: (now: number): Missed[] => missed.filter(({ at }) => now - Date.parse(at) <= HOUR),
  };
}

/** Returns the reason for a miss at `at` (epoch ms), or null when the snapshots show none. */
function reasonOf(snapshots: readonly Snapshot[], at: number): string | null {
  const before = snapshots.findLast((one) => one.at <= at);
  const after = snapshots.find((one) => one.at >= at);
  if (!before?.live || !after?.live) return 'not connected at the time';
  const first = snapshots.find((one) => one.at >= at - GRACE / 2);
  const last = snapshots.findLast((one) => one.at <= at + GRACE / 2);
  if (first && last && last.decodeErrors > first.decodeErrors) return 'an event at the time could not be decoded';
  return null;
}

/** Returns the first stream that reported the token live, or null. */
function firstLiveReport(
  { bySource }: SightedToken,
  streams: readonly MonitoredSource[],
): { by: MonitoredSource; receivedAt: number } | null {
  let first: { by: MonitoredSource; receivedAt: number } | null = null;
  for (const by of streams) {
    const report = bySource.get(by.name);
    if (!report || report.backfilled) continue;
    if (first === null || report.receivedAt < first.receivedAt) first = { by, receivedAt: report.receivedAt };
  }
  return first;
}
