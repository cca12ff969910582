import { expect, test } from 'vitest';
import type { Sample } from '../../../common/tokens/model.ts';
import { NOON } from '../../live/testing/build.ts';
import { joined, withPoint } from './use-samples.ts';

const sample = (second: number, price: number, volume = 1): Sample => ({
  at: new Date(NOON + second * 1_000).toISOString(),
  price,
  open: price,
  high: price,
  low: price,
  liquidity: null,
  volume,
  holders: null,
});

test('merges live points within a second and adds their volumes', () => {
  const points = withPoint(withPoint([], sample(0, 1)), sample(0.5, 2));
  expect(points).toEqual([{ ...sample(0, 2, 2), open: 1, low: 1 }]);
  expect(withPoint(points, sample(0.8, 1.5))).toMatchObject([{ price: 1.5, open: 1, high: 2, low: 1 }]);
  expect(withPoint(points, sample(2, 3))).toHaveLength(2);
  expect(withPoint(points, sample(-5, 9))).toBe(points);
});

test('appends live points to fetched ones without duplicates', () => {
  const all = joined([sample(0, 1), sample(60, 2)], [sample(30, 9), sample(60, 9), sample(61, 3)], '1h');
  expect(all.map((one) => one.price)).toEqual([1, 2, 3]);
});

test('drops points older than the range', () => {
  expect(joined([sample(0, 1), sample(700, 2)], [], '10m').map((one) => one.price)).toEqual([2]);
  expect(joined([sample(0, 1), sample(700, 2)], [], 'all')).toHaveLength(2);
});
