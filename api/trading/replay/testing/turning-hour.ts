import { expect } from 'vitest';
import { HOUR, SECOND } from '../../../../common/time.ts';
import { hourOf } from '../../tape/format.ts';

/** Time from the start to the next hour, ms: the hour turns while everybody trades. */
const TURN_MS = 40 * SECOND;
/** Speed of the time at first: a slow machine makes the trades of the first hour too. The server's own time runs at half speed at least. */
const SLOW = 0.6;

/** The time of a test in which an hour turns. */
export interface TurningHour {
  /** The hour that ends, and the next one. */
  hours: [string, string];
  /** Epoch ms. */
  now(): number;
  /** Waits for a condition of the first hour. */
  within(is: () => Promise<boolean>): Promise<void>;
  /** Has the time pass as on the machine: the first hour has seen what it needs. */
  speedUp(): void;
}

/** `wall`: the time of the machine, epoch ms. */
export function createTurningHour(wall: () => number): TurningHour {
  const end = (Math.floor(wall() / HOUR) + 1) * HOUR;
  let [at, wallAt, speed] = [end - TURN_MS, wall(), SLOW];
  const now = () => at + (wall() - wallAt) * speed;

  return {
    hours: [hourOf(end - 1), hourOf(end)],
    now: () => Math.floor(now()),
    within: (is) => expect.poll(is, { timeout: TURN_MS / SLOW, interval: 200 }).toBe(true),
    speedUp() {
      [at, wallAt, speed] = [now(), wall(), 1];
    },
  };
}
