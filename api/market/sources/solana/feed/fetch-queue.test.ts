import { expect, test } from 'vitest';
import { createFetchQueue } from './fetch-queue.ts';

/** Returns a queue whose fetches the test ends. */
function heldQueue(waiting: number) {
  const fetched: string[] = [];
  const dropped: string[] = [];
  const ends: (() => void)[] = [];
  const queue = createFetchQueue<string>({
    fetch(name) {
      fetched.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    inFlight: 1,
    waiting,
    onDrop: (name) => void dropped.push(name),
  });
  return {
    queue,
    fetched,
    dropped,
    async end(count = 1) {
      for (let left = count; left > 0; left -= 1) {
        ends.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test('fetches urgent items first, then the newest', async () => {
  const { queue, fetched, end } = heldQueue(10);
  for (const name of ['a', 'b', 'c']) queue.push([name]);
  queue.push(['creation', 'migration'], true);
  await end(4);
  expect(fetched).toEqual(['a', 'creation', 'migration', 'c', 'b']);
});

test('drops the oldest of the others when too many wait', async () => {
  const { queue, fetched, dropped, end } = heldQueue(2);
  queue.push(['a']);
  queue.push(['creation'], true);
  for (const name of ['b', 'c', 'd']) queue.push([name]);
  expect(dropped).toEqual(['b', 'c']);
  await end(2);
  expect(fetched).toEqual(['a', 'creation', 'd']);
});

test('of items that come together fetches the newest first and drops the oldest', async () => {
  const { queue, fetched, dropped, end } = heldQueue(2);
  queue.push(['a', 'b', 'c', 'd', 'e']);
  await end(2);
  expect([fetched, dropped]).toEqual([
    ['e', 'd'],
    ['a', 'b', 'c'],
  ]);
  expect(queue.size()).toBe(0);
});

test('fetches nothing after it was stopped', async () => {
  const { queue, fetched, end } = heldQueue(10);
  queue.push(['a', 'b']);
  queue.stop();
  queue.push(['c']);
  await end();
  expect(fetched).toEqual(['b']);
});
