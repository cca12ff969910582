import { expect, test } from 'vitest';
import { tokenOf } from '../../common/testing/tokens.ts';
import { iso, MINUTE, SECOND } from '../../common/time.ts';
import { createEventBus } from '../events/bus.ts';
import { createLaunches } from './launches.ts';

const START = 1_790_000_000_000 - (1_790_000_000_000 % MINUTE);

function launchesFrom(startedAt: number) {
  let now = startedAt;
  const bus = createEventBus((error) => {
    throw error;
  });
  const launches = createLaunches({ bus, clock: { now: () => now }, simulated: true });
  return {
    launches,
    /** Publishes a token `after` ms after its creation, and moves the clock to that time. */
    publish(at: number, after = 100, isNew = true) {
      now = at;
      const token = tokenOf(1, { createdAt: iso(at - after) });
      bus.emit('token-changed', { at, changes: [{ token, isNew, isComplete: true }] });
    },
    readAt(at: number) {
      now = at;
      return launches.read();
    },
  };
}

test('nothing is known at the start', () => {
  expect(launchesFrom(START).readAt(START)).toEqual({
    perMinute: null,
    lastAt: null,
    publishedAfterMs: null,
    simulated: true,
    at: iso(START),
  });
});

test('counts the launches of full minutes since the start, and of the last five at most', () => {
  const { publish, readAt } = launchesFrom(START - 30 * SECOND);
  publish(START - SECOND);
  for (const second of [0, 1, 2]) publish(START + second * SECOND);
  expect(readAt(START + MINUTE - SECOND).perMinute).toBeNull();
  expect(readAt(START + MINUTE).perMinute).toBe(3);
  publish(START + MINUTE);
  expect(readAt(START + 2 * MINUTE)).toMatchObject({ perMinute: 2, lastAt: iso(START + MINUTE - 100) });
  expect(readAt(START + 6 * MINUTE).perMinute).toBe(0.2);
  expect(readAt(START + 20 * MINUTE)).toMatchObject({ perMinute: 0, lastAt: iso(START + MINUTE - 100) });
});

test('a coin from long ago that is new here is no launch', () => {
  const { publish, readAt } = launchesFrom(START - MINUTE);
  publish(START, 6 * MINUTE);
  expect(readAt(START + MINUTE)).toMatchObject({ perMinute: 0, lastAt: null, publishedAfterMs: null });
});

test('changes of known tokens count nothing, and the time to the publication is a median', () => {
  const { publish, readAt } = launchesFrom(START);
  publish(START, 10_000, false);
  expect(readAt(START)).toMatchObject({ lastAt: null, publishedAfterMs: null });
  for (const after of [80, 95, 9_000]) publish(START + SECOND, after);
  const { publishedAfterMs } = readAt(START + SECOND);
  expect(publishedAfterMs).toBeGreaterThanOrEqual(80);
  expect(publishedAfterMs).toBeLessThan(130);
});

test('answers are computed once a second', () => {
  const { publish, readAt } = launchesFrom(START);
  const first = readAt(START + 10 * SECOND);
  publish(START + 10 * SECOND + 500);
  expect(readAt(START + 10 * SECOND + 999)).toBe(first);
  expect(readAt(START + 11 * SECOND).lastAt).not.toBeNull();
});
