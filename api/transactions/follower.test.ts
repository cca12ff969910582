import pino from 'pino';
import { expect, test } from 'vitest';
import { createFollowLoop, type FollowPauses } from './follower.ts';

const pauses: FollowPauses = { pending: 1_000, idle: 5_000, away: { base: 1_000, max: 4_000 } };
const log = pino({ level: 'silent' });

/** Runs a loop that looks `outcomes.length` times; returns the pauses between the looks. */
async function pausesAfter(outcomes: (number | Error)[], meanwhile: (loop: { wake(): void }) => void = () => {}) {
  const made: number[] = [];
  const ended = new Promise<void>((resolve) => {
    const loop = createFollowLoop({
      look: async () => {
        const outcome = outcomes.shift() ?? 0;
        if (outcomes.length === 0) void loop.stop().then(resolve);
        meanwhile(loop);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      wait: async (ms) => void made.push(ms),
      random: () => 1,
      log,
      pauses,
    });
    loop.start();
    // A second start changes nothing.
    loop.start();
  });
  await ended;
  return made;
}
const away = () => new Error('away');

test('looks every second while something is pending, and rarely otherwise', async () => {
  expect(await pausesAfter([3, 0, 0, 1, 0])).toEqual([1_000, 5_000, 5_000, 1_000]);
});

test('backs off up to a bound while the node fails, and starts over afterwards', async () => {
  expect(await pausesAfter([away(), away(), away(), away(), 1, away(), 0])).toEqual([
    1_000, 2_000, 4_000, 4_000, 1_000, 1_000,
  ]);
});

test('a recording during a look is followed without an idle pause', async () => {
  expect(await pausesAfter([0, away(), away(), 0], (loop) => loop.wake())).toEqual([1_000, 1_000, 2_000]);
});

test('a recording during an idle pause ends it; a backoff is kept', async () => {
  const waits: { ms: number; signal: AbortSignal; end: () => void }[] = [];
  const outcomes: (number | Error)[] = [0, away(), 0];
  const loop = createFollowLoop({
    look: async () => {
      const outcome = outcomes.shift() ?? 0;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    wait: (ms, signal = new AbortController().signal) =>
      new Promise((resolve) => {
        waits.push({ ms, signal, end: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
    random: () => 1,
    log,
    pauses,
  });
  const nth = (count: number) => expect.poll(() => waits.length).toBe(count);
  loop.start();
  await nth(1);
  loop.wake();
  await nth(2);
  loop.wake();
  expect(waits[1]?.signal.aborted).toBe(false);
  waits[1]?.end();
  await nth(3);
  expect(waits.map(({ ms }) => ms)).toEqual([5_000, 1_000, 5_000]);
  await loop.stop();
});
