import { expect, test, vi } from 'vitest';
import { createMemoryLog } from './feed-log/memory.ts';
import { createPublisher } from './publisher.ts';
import { addressOf, updateOf } from './testing/events.ts';

const address = addressOf(1);

test('publish resolves with the position of the last event, which becomes the cursor [F1]', async () => {
  const publisher = createPublisher(createMemoryLog({ clock: { now: Date.now }, epoch: 'e' }));
  expect(publisher.cursor()).toEqual({ epoch: 'e', seq: 0 });
  expect(await publisher.publish([updateOf(1), updateOf(2)])).toEqual({ epoch: 'e', seq: 2 });
  expect(publisher.cursor()).toEqual({ epoch: 'e', seq: 2 });
});

test('send passes a message for the room to the tails of the log', () => {
  const log = createMemoryLog({ clock: { now: Date.now } });
  const message = vi.fn();
  log.tail({ entries: vi.fn(), message, interrupted: vi.fn() });
  createPublisher(log).send('token-trades', { address }, { address, trades: [] });
  expect(message).toHaveBeenCalledExactlyOnceWith({
    room: `token:${address}`,
    event: 'token-trades',
    payload: { address, trades: [] },
  });
});

test('hasMembers follows the gateway, and is true without one', () => {
  const log = createMemoryLog({ clock: { now: Date.now } });
  expect(createPublisher(log).hasMembers('admin')).toBe(true);
  expect(createPublisher(log, (room) => room === 'tokens').hasMembers('tokens')).toBe(true);
  expect(createPublisher(log, (room) => room === 'tokens').hasMembers({ address: 'x' })).toBe(false);
});
