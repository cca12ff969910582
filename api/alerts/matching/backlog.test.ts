import { expect, test } from 'vitest';
import { addressNumber } from '../../testing/tokens.ts';
import { createWaiting, PER_MATCH } from './backlog.ts';
import type { Match } from './matcher.ts';

const match = (number: number, users = 1): Match => ({
  type: 'new_token',
  address: addressNumber(number),
  token: null,
  price: null,
  userIds: Array.from({ length: users }, (_, user) => String(user)),
});

test('what waits is bounded by users and, since each match holds a token, by matches', async () => {
  let goOn = () => {};
  const work = new Promise<void>((resolve) => (goOn = resolve));
  const waiting = createWaiting(() => work, 10 * (PER_MATCH + 1));
  const taken = Array.from({ length: 30 }, (_, number) => waiting.offer(match(number)));
  expect(taken.filter(Boolean)).toHaveLength(10);
  expect(waiting.isFull()).toBe(true);
  goOn();
  await waiting.settled();
  expect(waiting.isFull()).toBe(false);
  expect(waiting.offer(match(1, 1_000_000))).toBe(true);
  expect(waiting.offer(match(2))).toBe(false);
});
