import { expect, test } from 'vitest';
import { createTotalCount } from './total-count.ts';

function setUp() {
  const state = { now: 1000, stored: 5, reads: 0 };
  const answers: (() => void)[] = [];
  const count = () => {
    state.reads += 1;
    const { stored } = state;
    return new Promise<number>((resolve) => answers.push(() => resolve(stored)));
  };
  const answer = () => {
    for (const resolve of answers.splice(0)) resolve();
  };
  return { state, answer, total: createTotalCount(count, { now: () => state.now }) };
}

test('many askers at once cost one count, however long it takes', async () => {
  const { state, answer, total } = setUp();
  const asked = [total(), total()];
  state.now += 60_000;
  asked.push(total());
  answer();
  expect(await Promise.all(asked)).toEqual([5, 5, 5]);
  expect(state.reads).toBe(1);
});

test('a count is told for two seconds, then made anew', async () => {
  const { state, answer, total } = setUp();
  const first = total();
  answer();
  await first;
  state.stored = 6;
  state.now += 1999;
  expect(await total()).toBe(5);
  state.now += 1;
  const second = total();
  answer();
  expect(await second).toBe(6);
});

test('a count that failed is not kept', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve(3)];
  const total = createTotalCount(() => answers.shift() ?? Promise.resolve(0), { now: () => 0 });
  await expect(total()).rejects.toThrow('away');
  expect(await total()).toBe(3);
});

test('a count that is forgotten while it is made is told to those who asked before only', async () => {
  const { state, answer, total } = setUp();
  const before = total();
  total.forget();
  state.stored = 0;
  const after = total();
  answer();
  expect([await before, await after]).toEqual([5, 0]);
  expect(await total()).toBe(0);
  expect(state.reads).toBe(2);
});
