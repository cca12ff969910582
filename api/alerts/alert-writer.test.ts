import { expect, test } from 'vitest';
import { fakeClock, silentLog } from '../market/testing/market.ts';
import { addressNumber } from '../testing/tokens.ts';
import { createAlertWriter, MATCH_WEIGHT } from './alert-writer.ts';
import type { Match } from './matching/matcher.ts';

const match = (number: number, users = 1): Match => ({
  type: 'new_token',
  address: addressNumber(number),
  token: null,
  userIds: Array.from({ length: users }, (_, user) => String(user)),
});

test('bounds the backlog by users and by matches, since each match holds a token', async () => {
  let finish = () => {};
  const loading = new Promise<null>((resolve) => (finish = () => resolve(null)));
  const writer = createAlertWriter({
    store: { allowed: async () => new Set(), insert: async () => [] },
    token: () => loading,
    textOf: async () => ({ text: '', template: '' }),
    outgoing: { deliveries: async () => new Map(), wake: () => {} },
    bus: { emit: () => {} },
    onStored: async () => {},
    clock: fakeClock(),
    random: () => 0.5,
    log: silentLog,
    signal: new AbortController().signal,
    backlogMax: 10 * (MATCH_WEIGHT + 1),
  });
  const accepted = Array.from({ length: 30 }, (_, number) => writer.offer(match(number)));
  expect(accepted.filter(Boolean)).toHaveLength(10);
  expect(writer.isFull()).toBe(true);
  finish();
  await writer.settled();
  expect(writer.isFull()).toBe(false);
  expect(writer.offer(match(1, 1_000_000))).toBe(true);
  expect(writer.offer(match(2))).toBe(false);
});
