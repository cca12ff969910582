import type { RecordingSpan } from './recording.ts';

export interface Timing {
  /** Added to block times, ms. */
  shift: number;
  /** Returns when a frame recorded at `at` is due, epoch ms; null at full speed. */
  dueAt(at: number): number | null;
  /** Returns the receive time of a frame, epoch ms. */
  receivedAt(at: number, now: number): number;
}

/**
 * Maps recorded times to replay times. `shifted` moves all times by one constant so that the recording starts now; a faster
 * replay starts earlier, so that no time lies in the future. `recorded` keeps all times.
 *
 * @param speed 1 as recorded, 10 ten times as fast, 0 as fast as possible
 */
export function createTiming(
  span: RecordingSpan,
  options: { speed: number; times: 'shifted' | 'recorded'; startedAt: number },
): Timing {
  const { speed, times, startedAt } = options;
  const length = span.to - span.from;
  const playedIn = speed === 0 ? 0 : length / speed;
  const early = Math.max(0, length - playedIn);
  const shifted = times === 'shifted';
  return {
    // Whole ms, so that block times stay integers.
    shift: shifted ? Math.round(startedAt - span.from - early) : 0,
    dueAt: (at) => (speed === 0 ? null : startedAt + (at - span.from) / speed),
    receivedAt: (at, now) => (shifted ? now : Math.round(at)),
  };
}
