import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { createSteadyClock } from './steady-clock.ts';

/** A machine whose wall clock can be set, and the clock on it. */
function setUp() {
  const machine = { wall: 1_800_000_000_000, uptime: 0 };
  const clock = createSteadyClock(
    () => machine.wall,
    () => machine.uptime,
  );
  return {
    clock,
    pass(ms: number) {
      machine.wall += ms;
      machine.uptime += ms;
      return clock.now();
    },
    set(ms: number) {
      machine.wall += ms;
      return clock.now();
    },
    wall: () => machine.wall,
  };
}

test('agrees with the wall clock while that runs evenly', () => {
  const { pass, wall } = setUp();
  for (let step = 0; step < 100; step += 1) expect(pass(step * 7)).toBe(wall());
});

test('goes on at half speed after the wall clock was set back, until that has caught up', () => {
  const { clock, pass, set, wall } = setUp();
  const before = clock.now();
  expect(set(-HOUR)).toBe(before);
  expect(pass(MINUTE) - before).toBe(MINUTE / 2);
  for (let minute = 1; minute < 120; minute += 1) pass(MINUTE);
  expect(clock.now()).toBe(wall());
  expect(pass(SECOND)).toBe(wall());
});

test('follows a jump forward at once', () => {
  const { set, wall } = setUp();
  expect(set(8 * HOUR)).toBe(wall());
});

test('never goes back or stands still, however the wall clock is set', () => {
  const changes = fc.array(
    fc.record({ passed: fc.integer({ min: 10, max: HOUR }), set: fc.integer({ min: -HOUR, max: HOUR }) }),
  );
  fc.assert(
    fc.property(changes, (steps) => {
      const { clock, pass, set } = setUp();
      for (const { passed, set: by } of steps) {
        const before = clock.now();
        expect(set(by)).toBeGreaterThanOrEqual(before);
        const after = clock.now();
        expect(pass(passed) - after).toBeGreaterThanOrEqual(Math.floor(passed / 2) - 1);
      }
    }),
  );
});
