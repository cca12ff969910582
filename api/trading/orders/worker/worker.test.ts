import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orderRecord } from '../../testing/order-record.ts';
import type { OrderRecord } from '../model.ts';
import { createTasks } from './worker.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('waits between failed reads of an order, also when it was changed by another writer', async () => {
  const order = orderRecord({ status: 'sent' });
  const reads: number[] = [];
  const states: ('there' | 'away' | 'gone')[] = [];
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const find = async (): Promise<OrderRecord | null> => {
    reads.push(Date.now());
    await turn();
    if (states.at(-1) === 'away') throw new Error('the database is away');
    return states.at(-1) === 'gone' ? null : order;
  };
  const tasks = createTasks({
    orders: { find },
    async step(present) {
      // Another writer changes the order during the step, and then nothing can be read.
      states.push('away');
      tasks.wake('1');
      return { order: present, delay: 1_000 };
    },
    mayWork: () => true,
    random: () => 1,
    log: pino({ level: 'silent' }),
  });
  tasks.wake('1');
  await vi.waitFor(() => expect(reads.length).toBeGreaterThan(1));
  // The pause of the change may be over at once; then each pause needs its time.
  for (let turns = 0; turns < 100; turns += 1) await turn();
  expect(reads.length).toBeLessThanOrEqual(3);
  states.push('gone');
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(tasks.active()).toBe(0));
});

test.each([
  ['paper', 'coin', 2],
  ['paper', 'other coin', 1],
  ['local', 'coin', 1],
] as const)(
  'the end of an order on %s has one of %s that rests looked at: %i looks',
  async (mode, address, expected) => {
    const first = orderRecord({ mode });
    const { userId, token } = first;
    const second = orderRecord({ mode, userId, token: { ...token, address } });
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    let looks = 0;
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const tasks = createTasks({
      orders: { find: async (id) => (id === 'first' ? first : second) },
      async step(order) {
        if (order === second) {
          looks += 1;
          return { order, delay: 1_000 };
        }
        await over;
        return { order: { ...order, open: false }, delay: 0 };
      },
      mayWork: () => true,
      random: () => 1,
      log: pino({ level: 'silent' }),
    });
    tasks.wake('first');
    tasks.wake('second');
    while (looks === 0) await turn();
    // Timers stand still: only the end of the first one ends the pause of the second.
    end();
    while (tasks.active() > 1) await turn();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(looks).toBe(expected);
  },
);
