import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { rounds } from '../../common/testing/effort.ts';
import { HOUR } from '../../common/time.ts';
import { fakeClock } from '../market/testing/market.ts';
import { MATCH_WEIGHT } from './alert-writer.ts';
import { hourOf } from './limit/places.ts';
import { memoryStore, setUpWriter, USER } from './testing/memory.ts';

const OTHER = '64b0000000000000000000a2';
const watched = { type: 'price_alert', isWatched: true } as const;

afterEach(() => vi.useRealTimers());

test('bounds the backlog by users and by matches, since each match holds a token', async () => {
  let finish = () => {};
  const loading = new Promise<null>((resolve) => (finish = () => resolve(null)));
  const { writer, offer } = setUpWriter({
    overrides: { token: () => loading, backlogMax: 10 * (MATCH_WEIGHT + 1) },
  });
  const users = Array.from({ length: 1_000_000 }, (_, user) => String(user));
  const accepted = Array.from({ length: 30 }, (_, number) => offer(number, {}, { token: null }));
  expect(accepted.filter(Boolean)).toHaveLength(10);
  expect(writer.isFull()).toBe(true);
  finish();
  await writer.settled();
  expect(writer.isFull()).toBe(false);
  expect(offer(1, {}, { token: null, userIds: users })).toBe(true);
  expect(offer(2)).toBe(false);
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

test('holds back no alert of a watched token, and gives it a place', async () => {
  const { writer, offer, symbolsOf, heldBackOf } = setUpWriter({ limit: () => 2 });
  for (const number of [1, 2, 3]) offer(number, {}, watched);
  offer(4);
  await writer.settled();
  expect(symbolsOf()).toEqual(['C1', 'C2', 'C3']);
  expect(heldBackOf(USER)).toBe(1);
});

test('gives every hour new places, and notes the alerts held back with the first message of the next hour', async () => {
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

test('counts no alert held back that a start found again', async () => {
  const { writer, offer, heldBackOf } = setUpWriter({ limit: () => 1 });
  for (const number of [1, 2, 3]) offer(number, {}, { isFromStart: true });
  await writer.settled();
  expect(heldBackOf(USER)).toBe(0);
});

test('two processes never exceed the limit together, in any order of matches and hours', async () => {
  const step = fc.record({
    process: fc.nat(1),
    number: fc.nat(30),
    passes: fc.constantFrom(0, 0, 0, HOUR / 4),
    settles: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
      const clock = fakeClock(Date.UTC(2026, 0, 1));
      const { records, store } = memoryStore();
      const processes = [0, 1].map(() => setUpWriter({ clock, store, limit: () => limit }));
      for (const { process, number, passes, settles } of steps) {
        processes[process]?.offer(number);
        clock.pass(passes);
        if (settles) await Promise.all(processes.map(({ writer }) => writer.settled()));
      }
      await Promise.all(processes.map(({ writer }) => writer.settled()));
      const perHour = new Map<number, number>();
      for (const { at } of records) perHour.set(hourOf(at.getTime()), (perHour.get(hourOf(at.getTime())) ?? 0) + 1);
      expect(Math.max(0, ...perHour.values())).toBeLessThanOrEqual(limit);
      expect(records.length).toBeGreaterThanOrEqual(Math.min(limit, new Set(steps.map(({ number }) => number)).size));
      expect(new Set(records.map(({ address }) => address)).size).toBe(records.length);
    }),
    { numRuns: rounds(50) },
  );
});
