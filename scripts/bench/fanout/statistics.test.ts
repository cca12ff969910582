import { expect, test } from 'vitest';
import { median, rounded, shuffled } from './statistics.ts';

test('returns the median of odd and even counts', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});

test('shuffling keeps all values', () => {
  expect(new Set(shuffled([1, 2, 3, 4]))).toEqual(new Set([1, 2, 3, 4]));
  expect(shuffled([1, 2, 3], () => 0)).toEqual([1, 2, 3]);
});

test('rounding keeps significant digits', () => {
  expect(rounded(1.23456)).toBe(1.23);
  expect(rounded(0.000123456)).toBe(0.000123);
});
