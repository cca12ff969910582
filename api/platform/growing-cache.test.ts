import { expect, test } from 'vitest';
import { createGrowingCache } from './growing-cache.ts';

test('stores as many entries as its limit, and drops the one that was not used for longest', () => {
  const cache = createGrowingCache<number>(3);
  for (const key of ['a', 'b', 'c']) cache.set(key, 1);
  cache.get('a');
  cache.set('d', 1);
  expect([...cache.keys()]).toEqual(['d', 'a', 'c']);
});

test('drops an entry after its time', () => {
  let now = 1;
  const cache = createGrowingCache<number>(3, { ttl: 10, ttlResolution: 0, perf: { now: () => now } });
  cache.set('a', 1);
  now = 11;
  expect(cache.get('a')).toBe(1);
  now = 12;
  expect(cache.get('a')).toBeUndefined();
});
