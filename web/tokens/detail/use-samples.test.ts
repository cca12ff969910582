import { expect, test } from 'vitest';
import type { Sample } from '../../../common/tokens/model.ts';
import { NOON } from '../../live/testing/build.ts';
import { joined, withPoint } from './use-samples.ts';

const sample = (second: number, price: number, volume = 1): Sample => ({
  at: new Date(NOON + second * 1_000).toISOString(),
  price,
  liquidity: null,
  volume,
  holders: null,
});

test('live points within a second are one, with the volume of both', () => {
  const points = withPoint(withPoint([], sample(0, 1)), sample(0.5, 2));
  expect(points).toEqual([sample(0, 2, 2)]);
  expect(withPoint(points, sample(2, 3))).toHaveLength(2);
  expect(withPoint(points, sample(-5, 9))).toBe(points);
});

test('live points follow fetched ones and none is there twice', () => {
  const all = joined([sample(0, 1), sample(60, 2)], [sample(30, 9), sample(60, 9), sample(61, 3)], '1h');
  expect(all.map((one) => one.price)).toEqual([1, 2, 3]);
});

test('a range drops what is older than it', () => {
  expect(joined([sample(0, 1), sample(700, 2)], [], '10m').map((one) => one.price)).toEqual([2]);
  expect(joined([sample(0, 1), sample(700, 2)], [], 'all')).toHaveLength(2);
});
