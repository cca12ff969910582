import { expect } from 'vitest';
import { HOUR, SECOND } from '../../../../common/time.ts';
import { hourOf } from '../../tape/format.ts';

/** Time from the start to the next hour, ms: the hour turns while everybody trades. */
const TURN_MS = 40 * SECOND;
/** Time before the turn from which on it waits for the conditions of the first hour, ms. */
const READY_MS = 15 * SECOND;
/** Speed of the time at the start, and while the turn waits: a slow machine does as much in an hour as a fast one. */
const SLOW = 1 / 4;
const POLL = { timeout: TURN_MS / SLOW, interval: 200 };

/** The time of a test in which an hour turns. */
export interface TurningHour {
  /** The hour that ends, and the next one. */
  hours: [string, string];
  /** Epoch ms. */
  now(): number;
  /** Ends the start: the time passes as on the machine. */
  begin(): void;
  /** Waits for a condition of the first hour, whose end waits for it. */
  within(is: () => Promise<boolean>): Promise<void>;
}

/** `wall`: the time of the machine, epoch ms. */
export function createTurningHour(wall: () => number): TurningHour {
  const end = (Math.floor(wall() / HOUR) + 1) * HOUR;
  let [at, wallAt, speed] = [end - TURN_MS, wall(), SLOW];
  const now = () => at + (wall() - wallAt) * speed;

  function setSpeed(next: number): void {
    [at, wallAt, speed] = [now(), wall(), next];
  }

  return {
    hours: [hourOf(end - 1), hourOf(end)],
    now: () => Math.floor(now()),
    begin: () => setSpeed(1),
    async within(is) {
      const isReady = () => {
        if (now() > end - READY_MS) setSpeed(SLOW);
        return is();
      };
      await expect.poll(isReady, POLL).toBe(true);
      setSpeed(1);
    },
  };
}
