import { expect, test } from 'vitest';
import { cachedValue } from './cached-value.ts';

function setUp(maxAge = 100) {
  const clock = { at: 1_000, now: () => clock.at };
  const loads: ((value: number) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const value = cachedValue(
    () =>
      new Promise<number>((resolve, reject) => {
        loads.push(resolve);
        failures.push(reject);
      }),
    { maxAge, clock },
  );
  return { clock, loads, failures, value };
}

test('shares a load between concurrent callers, and reuses its value until it is too old', async () => {
  const { clock, loads, value } = setUp();
  const both = [value.read(), value.read()];
  loads[0]?.(1);
  expect(await Promise.all(both)).toEqual([1, 1]);
  clock.at += 99;
  expect(await value.read()).toBe(1);
  clock.at += 2;
  const next = value.read();
  loads[1]?.(2);
  expect(await next).toBe(2);
  expect(loads).toHaveLength(2);
});

test('loads again after a clear, even during a load, whose callers still get their value', async () => {
  const { loads, value } = setUp();
  const early = value.read();
  value.clear();
  const late = value.read();
  loads[1]?.(2);
  loads[0]?.(1);
  expect(await Promise.all([early, late])).toEqual([1, 2]);
  expect(await value.read()).toBe(2);
});

test('does not cache a failure', async () => {
  const { loads, failures, value } = setUp();
  const failed = value.read();
  failures[0]?.(new Error('database is away'));
  await expect(failed).rejects.toThrow('database is away');
  const next = value.read();
  loads[1]?.(2);
  expect(await next).toBe(2);
});

test('reuses a value for a multiple of its loading time, but not for ever', async () => {
  const clock = { at: 1_000, now: () => clock.at };
  let loads = 0;
  const value = cachedValue(
    async () => {
      loads += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return loads;
    },
    { maxAge: 1_000, costFactor: 1_000, clock },
  );
  await value.read();
  clock.at += 9_999;
  expect(await value.read()).toBe(1);
  clock.at += 2;
  expect(await value.read()).toBe(2);
});
