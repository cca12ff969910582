import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../testing/effort.ts';
import { extremesOf } from './history.ts';
import { point } from './testing/histories.ts';

// The same paths in every run.
fc.configureGlobal({ seed: 20_261_121 });

test('returns the extremes of the points in any window [S3-42]', () => {
  const prices = fc.array(fc.option(fc.integer({ min: 0, max: 50 }), { freq: 5 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(prices, fc.nat(), fc.nat(), (values, one, other) => {
      const points = values.map((price, index) => point(index, { price }));
      const ends = [one % values.length, other % values.length];
      const [from = 0, to = 0] = ends.toSorted((a, b) => a - b);
      const above = values.slice(from, to + 1).filter((price) => price !== null && price > 0);
      const expected = { lowest: Math.min(...above.map(Number)), highest: Math.max(0, ...above.map(Number)) };
      expect(extremesOf(points, 'price', from, to)).toEqual(expected);
      // Again, from the cache.
      expect(extremesOf(points, 'price', from, to)).toEqual(expected);
      expect(extremesOf(points, 'holders', from, to)).toEqual({ lowest: Number.POSITIVE_INFINITY, highest: 0 });
    }),
    { numRuns: rounds(300) },
  );
});
