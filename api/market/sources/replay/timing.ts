import type { RecordingSpan } from './recording.ts';

export interface Timing {
  /** Added to times on chain, ms. */
  shift: number;
  /** When a frame recorded at `at` is due, epoch ms; null when nothing is waited for. */
  dueAt(at: number): number | null;
  /** When we heard of a frame, epoch ms. */
  receivedAt(at: number, now: number): number;
}

/**
 * Places a recording in time. `shifted` moves everything by one constant so that it starts now; played faster than it
 * was recorded it starts so much earlier that nothing ever lies in the future. `recorded` leaves all times alone.
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
    // Whole ms: times on chain are whole seconds and stay integers.
    shift: shifted ? Math.round(startedAt - span.from - early) : 0,
    dueAt: (at) => (speed === 0 ? null : startedAt + (at - span.from) / speed),
    receivedAt: (at, now) => (shifted ? now : Math.round(at)),
  };
}
