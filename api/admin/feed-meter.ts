import type { Clock } from '../../common/time.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';

const SECONDS = 60;

/** Counts the events of the feed. */
export interface FeedMeter {
  /** Events a second, on average over the last whole seconds; at most a minute of them. */
  perSecond(seconds: number): number;
  stop(): void;
}

export function createFeedMeter({ feedLog, clock }: { feedLog: Pick<FeedLog, 'tail'>; clock: Clock }): FeedMeter {
  /** By second of the minute. */
  const slots = Array.from({ length: SECONDS }, () => ({ second: Number.NEGATIVE_INFINITY, count: 0 }));
  const now = () => Math.floor(clock.now() / 1000);

  const stop = feedLog.tail({
    entries(entries) {
      const second = now();
      const slot = slots[second % SECONDS];
      if (slot === undefined) return;
      if (slot.second !== second) Object.assign(slot, { second, count: 0 });
      slot.count += entries.length;
    },
    message() {},
  });

  return {
    perSecond(seconds) {
      // The present second is not over yet.
      const [from, to] = [now() - seconds, now() - 1];
      const counted = slots.filter(({ second }) => second >= from && second <= to);
      const sum = counted.reduce((all, { count }) => all + count, 0);
      return Math.round((sum / seconds) * 10) / 10;
    },
    stop,
  };
}
