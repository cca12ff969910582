import { expect, test } from 'vitest';
import { createTotalCount } from './total-count.ts';

function setUp() {
  const state = { now: 1000, stored: 5, reads: 0 };
  const pending: (() => void)[] = [];
  const count = () => {
    state.reads += 1;
    const { stored } = state;
    return new Promise<number>((resolve) => pending.push(() => resolve(stored)));
  };
  const finish = () => {
    for (const resolve of pending.splice(0)) resolve();
  };
  return { state, finish, total: createTotalCount(count, { now: () => state.now }) };
}

test('concurrent callers share one count, however long it takes', async () => {
  const { state, finish, total } = setUp();
  const results = [total(), total()];
  state.now += 60_000;
  results.push(total());
  finish();
  expect(await Promise.all(results)).toEqual([5, 5, 5]);
  expect(state.reads).toBe(1);
});

test('returns a count for two seconds, then counts again', async () => {
  const { state, finish, total } = setUp();
  const first = total();
  finish();
  await first;
  state.stored = 6;
  state.now += 1999;
  expect(await total()).toBe(5);
  state.now += 1;
  const second = total();
  finish();
  expect(await second).toBe(6);
});

test('does not cache a failed count', async () => {
  const counts = [Promise.reject(new Error('away')), Promise.resolve(3)];
  const total = createTotalCount(() => counts.shift() ?? Promise.resolve(0), { now: () => 0 });
  await expect(total()).rejects.toThrow('away');
  expect(await total()).toBe(3);
});

test('a clear during a count affects only later callers', async () => {
  const { state, finish, total } = setUp();
  const before = total();
  total.clear();
  state.stored = 0;
  const after = total();
  finish();
  expect([await before, await after]).toEqual([5, 0]);
  expect(await total()).toBe(0);
  expect(state.reads).toBe(2);
});
