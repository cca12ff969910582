import type { Launches } from '../../common/launches/http.ts';
import { type Clock, iso, isoOrNull, MINUTE, SECOND } from '../../common/time.ts';
import type { EventSource } from '../events/bus.ts';
import { createLatencyMeter } from '../market/publish/latency.ts';

/** Whole minutes that the rate is of. */
const MINUTES = 5;

/** Counts the launches of the last minutes from the market's events. */
export function createLaunches({ bus, clock, simulated }: { bus: EventSource; clock: Clock; simulated: boolean }) {
  const startedAt = clock.now();
  /** Launches by the minute of their publication; older ones than are asked for are dropped. */
  const byMinute = new Map<number, number>();
  const published = createLatencyMeter();
  let lastAt: number | null = null;
  let answer: Launches | null = null;

  const end = bus.on('token-changed', ({ changes }) => {
    const now = clock.now();
    for (const { token, isNew } of changes) {
      if (!isNew || token.createdAt === null) continue;
      const createdAt = Date.parse(token.createdAt);
      // A service may report a coin of any age for the first time.
      if (now - createdAt > MINUTES * MINUTE) continue;
      lastAt = Math.max(lastAt ?? createdAt, createdAt);
      published.record([createdAt], now);
      const minute = Math.floor(now / MINUTE);
      byMinute.set(minute, (byMinute.get(minute) ?? 0) + 1);
      for (const old of byMinute.keys()) if (old < minute - MINUTES) byMinute.delete(old);
    }
  });

  function count(now: number): Launches {
    const minute = Math.floor(now / MINUTE);
    // The minute of the start was observed in part.
    const first = Math.max(minute - MINUTES, Math.floor(startedAt / MINUTE) + 1);
    let launches = 0;
    for (let one = first; one < minute; one += 1) launches += byMinute.get(one) ?? 0;
    return {
      perMinute: minute > first ? launches / (minute - first) : null,
      lastAt: isoOrNull(lastAt),
      publishedAfterMs: published.read(now).p50,
      simulated,
      at: iso(now),
    };
  }

  return {
    /** Returns the counts, computed at most once a second. */
    read(): Launches {
      const now = clock.now();
      const age = answer === null ? SECOND : now - Date.parse(answer.at);
      if (answer === null || age >= SECOND || age < 0) answer = count(now);
      return answer;
    },
    stop: end,
  };
}
