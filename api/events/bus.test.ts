import { expect, test } from 'vitest';
import { type BusUnderTest, testBusContract } from './bus.contract.ts';
import { createEventBus } from './bus.ts';

async function open(): Promise<BusUnderTest> {
  const errors: BusUnderTest['errors'] = [];
  return { bus: createEventBus((error, event) => errors.push({ error, event })), errors, close: async () => {} };
}

testBusContract('the event bus of one process', open);

test('a handler that subscribes during an event gets the next event only', async () => {
  const { bus } = await open();
  const received: string[] = [];
  bus.on('user-created', () => {
    if (received.length === 0) bus.on('user-created', ({ userId }) => void received.push(userId));
  });
  bus.emit('user-created', { userId: 'a' });
  expect(received).toEqual([]);
  bus.emit('user-created', { userId: 'b' });
  expect(received).toEqual(['b']);
});

test('an event without a subscription has no subscribers', async () => {
  const { bus } = await open();
  const end = bus.on('user-created', () => undefined);
  expect(bus.hasSubscribers('rights-changed')).toBe(false);
  end();
  expect(bus.hasSubscribers('user-created')).toBe(false);
});
