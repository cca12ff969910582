import { expect, test } from 'vitest';
import { createFetchQueue } from './fetch-queue.ts';

/** Returns a queue whose fetches the test ends. */
function heldQueue(waiting: number) {
  const fetched: string[] = [];
  const ends: (() => void)[] = [];
  const queue = createFetchQueue({
    fetch(signature) {
      fetched.push(signature);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    inFlight: 1,
    waiting,
  });
  return {
    queue,
    fetched,
    async end() {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('fetches urgent transactions first, then the newest', async () => {
  const { queue, fetched, end } = heldQueue(10);
  for (const name of ['a', 'b', 'c']) queue.push(name, false);
  queue.push('creation', true);
  queue.push('migration', true);
  for (let count = 0; count < 4; count += 1) await end();
  expect(fetched).toEqual(['a', 'creation', 'migration', 'c', 'b']);
});

test('drops the oldest of the others when too many wait, and counts them', async () => {
  const { queue, fetched, end } = heldQueue(2);
  queue.push('a', false);
  queue.push('creation', true);
  for (const name of ['b', 'c', 'd']) queue.push(name, false);
  expect(queue.dropped()).toBe(2);
  await end();
  await end();
  expect(fetched).toEqual(['a', 'creation', 'd']);
});

test('fetches nothing after it was stopped', async () => {
  const { queue, fetched, end } = heldQueue(10);
  queue.push('a', false);
  queue.push('b', false);
  queue.stop();
  await end();
  expect(fetched).toEqual(['a']);
});
