import { expect, test } from 'vitest';
import { Dice, seededRandom } from '../random.ts';
import { TaskQueue } from './task-queue.ts';

/** Empties a queue; the times in the order they came out. */
function timesOf(queue: TaskQueue): number[] {
  const times: number[] = [];
  for (let task = queue.take(); task; task = queue.take()) times.push(task.at);
  return times;
}

test('tasks come by time', () => {
  const dice = new Dice(seededRandom('queue'));
  const queue = new TaskQueue();
  const times = Array.from({ length: 500 }, () => dice.whole(0, 100));
  for (const at of times) queue.add(at, () => undefined);
  expect(queue.nextAt).toBe(Math.min(...times));
  expect(timesOf(queue)).toEqual([...times].sort((a, b) => a - b));
  expect(queue.size).toBe(0);
  expect(queue.nextAt).toBeNull();
});

test('tasks of one time come in the order they were added', () => {
  const queue = new TaskQueue();
  const told: number[] = [];
  for (let i = 0; i < 50; i += 1) queue.add(7, () => told.push(i));
  for (let task = queue.take(); task; task = queue.take()) task.run(task.at);
  expect(told).toEqual([...told].sort((a, b) => a - b));
  expect(told).toHaveLength(50);
});

test('a shift moves every task and keeps the order', () => {
  const queue = new TaskQueue();
  for (const at of [30, 10, 20]) queue.add(at, () => undefined);
  queue.shift(1_000);
  expect(timesOf(queue)).toEqual([1_010, 1_020, 1_030]);
});
