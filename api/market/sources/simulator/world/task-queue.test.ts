import { expect, test } from 'vitest';
import { createDice, seededRandom } from '../random.ts';
import { createTaskQueue, type TaskQueue } from './task-queue.ts';

/** Empties a queue and returns the times in order. */
function timesOf(queue: TaskQueue): number[] {
  const times: number[] = [];
  for (let task = queue.take(); task; task = queue.take()) times.push(task.at);
  return times;
}

test('returns tasks by time', () => {
  const dice = createDice(seededRandom('queue'));
  const queue = createTaskQueue();
  const times = Array.from({ length: 500 }, () => dice.whole(0, 100));
  for (const at of times) queue.add(at, () => undefined);
  expect(queue.nextAt).toBe(Math.min(...times));
  expect(timesOf(queue)).toEqual([...times].sort((a, b) => a - b));
  expect(queue.size).toBe(0);
  expect(queue.nextAt).toBeNull();
});

test('keeps the order of tasks of the same time', () => {
  const queue = createTaskQueue();
  const runs: number[] = [];
  for (let i = 0; i < 50; i += 1) queue.add(7, () => runs.push(i));
  for (let task = queue.take(); task; task = queue.take()) task.run(task.at);
  expect(runs).toEqual([...runs].sort((a, b) => a - b));
  expect(runs).toHaveLength(50);
});

test('shift moves every task and keeps the order', () => {
  const queue = createTaskQueue();
  for (const at of [30, 10, 20]) queue.add(at, () => undefined);
  queue.shift(1_000);
  expect(timesOf(queue)).toEqual([1_010, 1_020, 1_030]);
});
