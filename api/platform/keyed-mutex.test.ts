import { expect, test } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

test('runs work of one key in order and passes a failure only to its own caller', async () => {
  const exclusive = createKeyedMutex();
  const log: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = exclusive('a', async () => {
    await gate;
    log.push('first');
  });
  const second = exclusive('a', async () => {
    log.push('second');
    throw new Error('own failure');
  });
  const third = exclusive('a', async () => log.push('third'));
  await exclusive('b', async () => log.push('other key'));
  expect(log).toEqual(['other key']);
  open();
  await Promise.allSettled([first, second, third]);
  expect(log).toEqual(['other key', 'first', 'second', 'third']);
  await expect(second).rejects.toThrow('own failure');
});
