import { expect, test } from 'vitest';
import { withLines } from './lines.ts';

const heightOf = (minValue: number, maxValue: number) => {
  const range = withLines({ priceRange: { minValue, maxValue } }, [], 1)?.priceRange;
  return range && [range.minValue, range.maxValue];
};

test('the scale of a flat price has a height, around the price', () => {
  expect(heightOf(1_000, 1_000)).toEqual([985, 1_015]);
  expect(heightOf(999, 1_001)).toEqual([985, 1_015]);
  expect(heightOf(900, 1_100)).toEqual([900, 1_100]);
});
