import { expect, test } from 'vitest';
import { newAllowance, take } from './limits.ts';

test('an allowance holds two seconds worth, refills with time, and a refusal costs nothing', () => {
  const allowance = newAllowance(10, 0);
  const takeMany = (count: number, now: number) =>
    Array.from({ length: count }, () => take(allowance, 10, now)).filter(Boolean).length;
  expect(takeMany(100, 0)).toBe(20);
  expect(takeMany(100, 500)).toBe(5);
  expect(takeMany(100, 60_000)).toBe(20);
});

test('an allowance is not lost by a clock that was set back', () => {
  const allowance = newAllowance(10, 1_000);
  expect(take(allowance, 10, 0)).toBe(true);
  expect(allowance.left).toBe(19);
});

test('an event may cost more than one', () => {
  const allowance = newAllowance(10, 0);
  expect(take(allowance, 10, 0, 21)).toBe(false);
  expect(take(allowance, 10, 0, 20)).toBe(true);
  expect(take(allowance, 10, 0)).toBe(false);
});
