import type { Clock } from '../../common/time.ts';

/** Speed while the wall clock is behind. */
const CATCH_UP_SPEED = 0.5;

/**
 * Returns a clock that follows the wall clock and never stands still or goes back. When the wall clock is set back, it
 * runs at half speed until the wall clock has caught up, as NTP slews a clock: pacing, caches and limits go on, and
 * times stay in order.
 */
export function createSteadyClock(
  wall: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): Clock {
  let time = wall();
  let measuredAt = monotonic();
  return {
    now() {
      const elapsed = monotonic() - measuredAt;
      measuredAt += elapsed;
      time = Math.max(wall(), time + elapsed * CATCH_UP_SPEED);
      return Math.floor(time);
    },
  };
}
