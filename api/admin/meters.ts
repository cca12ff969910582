import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Sampling interval of the event loop, ms: the histogram holds it plus the delay. */
const RESOLUTION = 20;
const SLOTS = 6;

/** The longest delay of the event loop within the last minute. */
export type EventLoopMeter = ReturnType<typeof createEventLoopMeter>;

export function createEventLoopMeter() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let slots: number[] = [];
  const current = () => Math.max(0, histogram.max / 1e6 - RESOLUTION);
  return {
    /** Starts a new slot and drops the oldest; to be called every ten seconds. */
    rotate(): void {
      slots = [...slots, current()].slice(-(SLOTS - 1));
      histogram.reset();
    },
    /** Returns the delay in ms. */
    longest: (): number => Math.round(Math.max(current(), ...slots)),
    stop: (): void => void histogram.disable(),
  };
}

const SECONDS = 60;

/** The rate of feed events over the last minute. */
export type FeedMeter = ReturnType<typeof createFeedMeter>;

/** `newestEvent` returns the number of the newest feed event; the feed numbers its events consecutively. */
export function createFeedMeter(newestEvent: () => number) {
  const samples = [newestEvent()];
  return {
    /** Samples the number of the newest event; to be called once a second. */
    sample(): void {
      samples.push(newestEvent());
      if (samples.length > SECONDS + 1) samples.shift();
    },
    /** Returns events per second, averaged over the last samples; at most 60 seconds. */
    perSecond(seconds: number): number {
      const newest = samples.at(-1) ?? 0;
      const oldest = samples.at(-1 - seconds) ?? samples[0] ?? newest;
      return Math.round((Math.max(0, newest - oldest) / seconds) * 10) / 10;
    },
  };
}
