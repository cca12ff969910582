import { expect, test } from 'vitest';
import { largeUpdate, updateOf } from '../testing/events.ts';
import { testLogContract } from './feed-log.contract.ts';
import { createMemoryLog, LOG_LIMITS } from './memory.ts';

testLogContract('the memory log', async () => createMemoryLog({ clock: { now: Date.now } }));

function steppedClock() {
  let time = 1_700_000_000_000;
  return { now: () => time, step: (ms: number) => (time += ms) };
}

const after = (seq: number) => ({ epoch: 'e', seq });
const resync = { resync: 'too-old' };

test('stores ten minutes and no more [F1]', async () => {
  const clock = steppedClock();
  const log = createMemoryLog({ clock, epoch: 'e' });
  await log.append([updateOf(1)]);
  clock.step(1);
  await log.append([updateOf(2)]);
  clock.step(10 * 60_000 - 1);
  expect(await log.since(after(0))).toMatchObject({ entries: [{ seq: 1 }, { seq: 2 }] });
  clock.step(1);
  expect(await log.since(after(0))).toEqual(resync);
  expect(await log.since(after(1))).toMatchObject({ entries: [{ seq: 2 }] });
  clock.step(1);
  expect(await log.since(after(1))).toEqual(resync);
  expect(await log.since(after(2))).toEqual({ entries: [] });
});

test('stores 100,000 events and no more [F1]', async () => {
  const log = createMemoryLog({ clock: { now: () => 0 }, epoch: 'e' });
  expect(LOG_LIMITS.events).toBe(100_000);
  const thousand = Array.from({ length: 1_000 }, (_, number) => updateOf(number));
  for (let round = 0; round < 101; round += 1) await log.append(thousand);
  expect(log.head().seq).toBe(101_000);
  expect(await log.since(after(999))).toEqual(resync);
  const found = await log.since(after(1_000));
  expect('entries' in found && found.entries.length).toBe(100_000);
  expect(found).toHaveProperty('entries.0.seq', 1_001);
});

test('stores large events up to a bound in bytes [F1]', async () => {
  const log = createMemoryLog({ clock: { now: () => 0 }, epoch: 'e', limits: { bytes: 10_000 } });
  for (let number = 1; number <= 20; number += 1) await log.append([largeUpdate(number, 1_000)]);
  expect(await log.since(after(10))).toEqual(resync);
  expect(await log.since(after(12))).toMatchObject({ entries: { length: 8 } });
});

test('passes on an event beyond the bound without storing it [F1]', async () => {
  const log = createMemoryLog({ clock: { now: () => 0 }, epoch: 'e', limits: { bytes: 100 } });
  await log.append([largeUpdate(1, 1_000)]);
  expect(await log.since(after(0))).toEqual(resync);
  await log.append([updateOf(2)]);
  expect(log.head().seq).toBe(2);
});

test('replays right after many evictions [F1]', async () => {
  const log = createMemoryLog({ clock: { now: () => 0 }, epoch: 'e', limits: { events: 10 } });
  for (let number = 1; number <= 10_000; number += 1) {
    await log.append([updateOf(number)]);
    if (number % 1_111 === 0)
      expect(await log.since(after(number - 2))).toMatchObject({ entries: [{ seq: number - 1 }, { seq: number }] });
  }
});

test('frees evicted entries at once [F1]', async () => {
  const log = createMemoryLog({ clock: { now: () => 0 }, limits: { events: 10 } });
  const before = process.memoryUsage().external;
  const large = largeUpdate(1, 200_000);
  for (let number = 1; number <= 1_000; number += 1) await log.append([large]);
  // 200 MB were appended and 2 MB are stored; the garbage collector runs long before this bound.
  expect(process.memoryUsage().external - before).toBeLessThan(100_000_000);
});
