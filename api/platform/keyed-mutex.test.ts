import { expect, test } from 'vitest';
import { createTurns } from './keyed-mutex.ts';

test('work for one key runs in the order it came, and a failure is its own asker’s alone', async () => {
  const inTurn = createTurns();
  const log: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = inTurn('a', async () => {
    await gate;
    log.push('first');
  });
  const second = inTurn('a', async () => {
    log.push('second');
    throw new Error('mine');
  });
  const third = inTurn('a', async () => log.push('third'));
  await inTurn('b', async () => log.push('of another key'));
  expect(log).toEqual(['of another key']);
  open();
  await Promise.allSettled([first, second, third]);
  expect(log).toEqual(['of another key', 'first', 'second', 'third']);
  await expect(second).rejects.toThrow('mine');
});
