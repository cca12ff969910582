import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenOf } from '../testing/tokens.ts';
import { compareRanks, formatCursor, isCursorOf, parseCursor, type Rank, rankOf } from './order.ts';

const rank: fc.Arbitrary<Rank> = fc.record({
  value: fc.option(
    fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ min: 0, max: 1e21, noNaN: true }), fc.constant(2.8e-8)),
  ),
  listedAt: fc.integer({ min: 0, max: 2_000_000_000_000 }),
  address: fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, { size: 'max' }),
});

test('a cursor stands for its place, whatever the figure', () => {
  fc.assert(
    fc.property(rank, (place) => {
      const cursor = formatCursor(place, false);
      expect(isCursorOf(cursor, 'liquidity')).toBe(true);
      expect(isCursorOf(cursor, 'detected')).toBe(false);
      expect(parseCursor(cursor)).toEqual(place);
      const newest = formatCursor(place, true);
      expect([isCursorOf(newest, 'detected'), isCursorOf(newest, 'risk')]).toEqual([true, false]);
      expect(parseCursor(newest)).toEqual({ ...place, value: place.listedAt });
    }),
  );
});

test('places have one order in each direction, unknown figures last in both', () => {
  fc.assert(
    fc.property(fc.array(rank, { maxLength: 20 }), fc.constantFrom('asc', 'desc'), (ranks, order) => {
      const sorted = ranks.toSorted((a, b) => compareRanks(a, b, order));
      for (const [at, place] of sorted.entries()) {
        const next = sorted[at + 1];
        if (next === undefined) continue;
        expect(compareRanks(place, next, order)).toBe(-compareRanks(next, place, order) || 0);
        if (place.value === null) expect(next.value).toBeNull();
        else if (next.value !== null && order === 'asc') expect(place.value).toBeLessThanOrEqual(next.value);
        else if (next.value !== null) expect(place.value).toBeGreaterThanOrEqual(next.value);
      }
    }),
  );
});

test('equal figures are newest first in both directions', () => {
  const older = { value: 1, listedAt: 1, address: 'a' };
  const newer = { value: 1, listedAt: 2, address: 'b' };
  for (const order of ['asc', 'desc'] as const) expect(compareRanks(newer, older, order)).toBeLessThan(0);
});

test('orders by the time of migration whatever the age, and tokens without one last', () => {
  const tokens = [
    tokenOf(3),
    tokenOf(2, { migratedAt: '2026-01-01T00:00:00.000Z' }),
    tokenOf(1, { migratedAt: '2026-01-01T00:00:00.001Z' }),
    tokenOf(4, { stage: 'pool' }),
  ];
  const sorted = tokens.toSorted((a, b) => compareRanks(rankOf(a, 'migrated'), rankOf(b, 'migrated'), 'desc'));
  expect(sorted.map(({ number }) => number - 1)).toEqual([1, 2, 4, 3]);
});
