import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { rounds } from '../../common/testing/effort.ts';
import { HOUR } from '../../common/time.ts';
import { fakeClock } from '../market/testing/market.ts';
import { hourOf } from './hour.ts';
import { setUpWriter, USER } from './testing/memory.ts';
import { WAITING_MAX } from './write.ts';

const OTHER = '64b0000000000000000000a2';
const watched = { type: 'price_alert', isWatched: true } as const;

afterEach(() => vi.useRealTimers());

test('bounds the matches that wait, since each holds a token', async () => {
  let finish = () => {};
  const loading = new Promise<null>((resolve) => (finish = () => resolve(null)));
  const { writer, offer } = setUpWriter({ overrides: { token: () => loading } });
  const accepted = Array.from({ length: WAITING_MAX + 20 }, (_, number) => offer(number, {}, { token: null }));
  expect(accepted.filter(Boolean)).toHaveLength(WAITING_MAX);
  let hasRoom = false;
  const room = writer.room().then(() => (hasRoom = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([hasRoom, offer(1)]).toEqual([false, false]);
  finish();
  await room;
  expect(offer(1)).toBe(true);
  await writer.settled();
});

test('stores the best of the matches collected together, and counts the rest', async () => {
  const { writer, offer, symbolsOf, heldBackOf } = setUpWriter();
  for (let number = 0; number < 20; number += 1) offer(number, { scamProbability: 29 - number });
  await writer.settled();
  expect(symbolsOf()).toEqual(['C19', 'C18', 'C17', 'C16', 'C15', 'C14']);
  expect(heldBackOf(USER)).toBe(14);
});

test('a match that fails takes no other of its collection with it', async () => {
  const textOf = async (_type: string, { symbol }: { symbol: string | null }) => {
    if (symbol === 'C2') throw new Error('a template that cannot be filled');
    return { text: `${symbol}`, template: '' };
  };
  const { writer, offer, symbolsOf } = setUpWriter({ overrides: { textOf } });
  for (const number of [1, 2, 3]) offer(number, { scamProbability: number });
  await writer.settled();
  expect(symbolsOf()).toEqual(['C1', 'C3']);
});

test('collects matches for a few seconds, except those of watched tokens', async () => {
  vi.useFakeTimers();
  const { offer, symbolsOf } = setUpWriter();
  offer(1);
  offer(2, {}, watched);
  await vi.advanceTimersByTimeAsync(0);
  expect(symbolsOf()).toEqual(['C2']);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(symbolsOf()).toEqual(['C2', 'C1']);
});

test('holds back no alert of a watched token, and counts it towards the limit', async () => {
  const { writer, offer, symbolsOf, heldBackOf } = setUpWriter({ limit: () => 2 });
  for (const number of [1, 2, 3]) offer(number, {}, watched);
  offer(4);
  await writer.settled();
  expect(symbolsOf()).toEqual(['C1', 'C2', 'C3']);
  expect(heldBackOf(USER)).toBe(1);
});

test('writes an alert of a watched token before collected matches that wait', async () => {
  const { writer, offer, symbolsOf } = setUpWriter();
  offer(1);
  const ended = writer.settled();
  offer(2);
  const endedToo = writer.settled();
  offer(3, {}, watched);
  await Promise.all([ended, endedToo]);
  expect(symbolsOf()).toEqual(['C1', 'C3', 'C2']);
});

test('every full hour UTC has its own limit, and notes the alerts held back with the first message of the next hour', async () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1, 12));
  const { writer, offer, records } = setUpWriter({ clock, limit: () => 1, linked: [USER] });
  for (const hour of [12, 13, 14]) {
    for (const number of [1, 2, 3]) offer(hour * 10 + number);
    if (hour === 13) offer(99, { scamProbability: 1 }, { userIds: [OTHER] });
    await writer.settled();
    clock.pass(HOUR);
  }
  const note = '2 more matched last hour; limit 1. Change it by /alerts limit 10.';
  expect(records.map(({ symbol, telegram }) => [symbol, telegram?.note])).toEqual([
    ['C121', null],
    ['C99', undefined],
    ['C131', note],
    ['C141', note],
  ]);
});

test('a higher limit counts at once, and a lower one takes nothing back', async () => {
  let limit = 1;
  const { writer, offer, symbolsOf } = setUpWriter({ limit: () => limit });
  const next = async (number: number) => {
    offer(number);
    await writer.settled();
    return symbolsOf().length;
  };
  expect([await next(1), await next(2)]).toEqual([1, 1]);
  limit = 3;
  expect([await next(3), await next(4), await next(5)]).toEqual([2, 3, 3]);
  limit = 1;
  expect(await next(6)).toBe(3);
});

test('a start counts again the alerts of this hour, and those held back in it', async () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1, 12, 10));
  const before = setUpWriter({ clock, limit: () => 2 });
  for (const number of [1, 2, 3]) before.offer(number, { scamProbability: number });
  await before.writer.settled();
  const { hours, writer, offer, symbolsOf } = setUpWriter({ clock, memory: before.memory, limit: () => 2 });
  await hours.load(clock.now());
  // A token of the hour before counted in that hour.
  const earlier = new Date(clock.now() - HOUR / 2).toISOString();
  for (const detectedAt of [new Date(clock.now()).toISOString(), earlier]) {
    offer(3, { detectedAt }, { isFromStart: true });
  }
  await writer.settled();
  expect(symbolsOf()).toEqual(['C1', 'C2']);
  expect(hours.of(USER, clock.now())).toEqual({
    since: '2026-01-01T12:00:00.000Z',
    limit: 2,
    received: 2,
    heldBack: 1,
  });
});

test('a user never receives more than the limit in an hour, in any order of matches, hours and restarts', async () => {
  const step = fc.record({
    number: fc.nat(30),
    passes: fc.constantFrom(0, 0, 0, HOUR / 4),
    afterwards: fc.constantFrom('settle', 'restart', 'continue', 'continue'),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
      const clock = fakeClock(Date.UTC(2026, 0, 1));
      let process = setUpWriter({ clock, limit: () => limit });
      const { memory, records } = process;
      for (const { number, passes, afterwards } of steps) {
        process.offer(number);
        clock.pass(passes);
        if (afterwards === 'continue') continue;
        await process.writer.settled();
        if (afterwards === 'restart') {
          process = setUpWriter({ clock, memory, limit: () => limit });
          await process.hours.load(clock.now());
        }
      }
      await process.writer.settled();
      const perHour = new Map<number, number>();
      for (const { at } of records) perHour.set(hourOf(at.getTime()), (perHour.get(hourOf(at.getTime())) ?? 0) + 1);
      expect(Math.max(0, ...perHour.values())).toBeLessThanOrEqual(limit);
      expect(records.length).toBeGreaterThanOrEqual(Math.min(limit, new Set(steps.map(({ number }) => number)).size));
      expect(new Set(records.map(({ address }) => address)).size).toBe(records.length);
    }),
    { numRuns: rounds(50) },
  );
});
