import { expect, test } from 'vitest';
import { createBucket, take } from './limits.ts';

test('a bucket holds two seconds’ worth, refills with time, and a refusal costs nothing', () => {
  const bucket = createBucket(10, 0);
  const takeMany = (count: number, now: number) =>
    Array.from({ length: count }, () => take(bucket, 10, now)).filter(Boolean).length;
  expect(takeMany(100, 0)).toBe(20);
  expect(takeMany(100, 500)).toBe(5);
  expect(takeMany(100, 60_000)).toBe(20);
});

test('a bucket of a given size holds that much', () => {
  const bucket = { left: 3, at: 0 };
  const takeMany = (count: number, now: number) =>
    Array.from({ length: count }, () => take(bucket, 1, now, 1, 3)).filter(Boolean).length;
  expect(takeMany(100, 0)).toBe(3);
  expect(takeMany(100, 60_000)).toBe(3);
});

test('a clock that was set back does not empty the bucket', () => {
  const bucket = createBucket(10, 1_000);
  expect(take(bucket, 10, 0)).toBe(true);
  expect(bucket.left).toBe(19);
});

test('an event may cost more than one', () => {
  const bucket = createBucket(10, 0);
  expect(take(bucket, 10, 0, 21)).toBe(false);
  expect(take(bucket, 10, 0, 20)).toBe(true);
  expect(take(bucket, 10, 0)).toBe(false);
});
