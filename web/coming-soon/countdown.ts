import { useEffect, useState } from 'react';
import { SECOND } from '../../common/time.ts';

/** The launch: 2025-05-24T00:00:00Z, epoch ms. */
export const LAUNCH_AT = Date.UTC(2025, 4, 24);

export interface Countdown {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** Returns the time left until the launch at `now` (epoch ms); all zero afterwards. */
export function countdownAt(now: number): Countdown {
  // A started second still counts, so that zero shows at the launch and not a second early.
  const left = Math.max(0, Math.ceil((LAUNCH_AT - now) / SECOND));
  return {
    days: Math.floor(left / 86_400),
    hours: Math.floor(left / 3600) % 24,
    minutes: Math.floor(left / 60) % 60,
    seconds: left % 60,
  };
}

/** Returns the countdown, updated every second until it reaches zero. */
export function useCountdown(): Countdown {
  const [now, setNow] = useState(() => Date.now());
  const over = now >= LAUNCH_AT;
  useEffect(() => {
    if (over) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [over]);
  return countdownAt(now);
}
