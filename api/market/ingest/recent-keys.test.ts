import { expect, test } from 'vitest';
import { RecentKeys } from './recent-keys.ts';

test('remembers at least its capacity and at most twice as much', () => {
  const keys = new RecentKeys(3);
  for (const key of ['a', 'b', 'c']) expect(keys.add(key)).toBe(true);
  for (const key of ['a', 'b', 'c']) expect(keys.add(key)).toBe(false);
  for (const key of ['d', 'e', 'f']) expect(keys.add(key)).toBe(true);
  expect(keys.add('a')).toBe(false);
  expect(keys.add('g')).toBe(true);
  expect(keys.add('f')).toBe(false);
  expect(keys.add('a')).toBe(true);
});
