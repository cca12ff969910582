import { expect, test } from 'vitest';
import { createSlots, OPENING_SLOT } from './slots.ts';

const SEED = Buffer.alloc(32, 7);
const base = { slot: OPENING_SLOT, atMs: 1_000_000, slotMs: 400 };
const slotsAt = (nowMs: number, seed = SEED) => createSlots({ base, seed, nowMs });

test('a slot lasts 400 ms and never repeats', () => {
  const slots = slotsAt(1_000_000);
  expect(slots.slot()).toBe(OPENING_SLOT);
  expect(slots.advance(1_000_399)).toBe(false);
  expect(slots.untilNext(1_000_399)).toBe(1);
  expect(slots.advance(1_000_400)).toBe(true);
  expect(slots.advance(1_004_000)).toBe(true);
  expect(slots.slot()).toBe(OPENING_SLOT + 10);
  expect(slots.advance(900_000)).toBe(false);
  expect(slots.slot()).toBe(OPENING_SLOT + 10);
});

test('a blockhash is valid for 150 slots', () => {
  const slots = slotsAt(1_000_000);
  const hash = slots.newest();
  const height = slots.height();
  slots.advance(1_000_000 + 149 * 400);
  expect(slots.heightOfHash(hash)).toBe(height);
  slots.advance(1_000_000 + 150 * 400);
  expect(slots.heightOfHash(hash)).toBeUndefined();
});

test('faster slots have a window of a minute as well', () => {
  const slots = createSlots({ base: { ...base, slotMs: 50 }, seed: SEED, nowMs: base.atMs });
  expect(slots.window).toBe(1200);
});

test('another process has the same blockhashes, after a pause of any length', () => {
  const slots = slotsAt(1_000_000);
  const hash = slots.newest();
  expect(slotsAt(1_000_000 + 100 * 400).heightOfHash(hash)).toBe(slots.height());
  const late = slotsAt(1_000_000 + 90 * 86_400_000);
  expect(late.heightOfHash(hash)).toBeUndefined();
  expect(late.blockhashes()).toHaveLength(late.window);
  expect(late.blockhashes()[0]).toBe(late.newest());
});

test('blockhashes depend on the secret', () => {
  expect(slotsAt(1_000_000).newest()).not.toBe(slotsAt(1_000_000, Buffer.alloc(32, 8)).newest());
});

test('slots continue after the clock is set back', () => {
  const slots = slotsAt(1_000_000 + 4_000);
  const before = slots.slot();
  expect(slots.advance(500_000)).toBe(false);
  expect(slots.untilNext(500_000)).toBeLessThanOrEqual(400);
  expect(slots.advance(500_400)).toBe(true);
  expect(slots.slot()).toBe(before + 1);
});
