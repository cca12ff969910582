import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EventBus } from './bus.ts';
import type { DomainEventName } from './events.ts';

/** A bus under test, the errors it reported, and the function that closes it. */
export interface BusUnderTest {
  bus: EventBus;
  errors: { error: unknown; event: DomainEventName }[];
  close(): Promise<void>;
}

/** Tests the behaviour that every event bus must have, within a process or between several. */
export function testBusContract(name: string, open: () => Promise<BusUnderTest>): void {
  describe(name, () => {
    const opened: BusUnderTest[] = [];
    const openBus = async () => {
      const under = await open();
      opened.push(under);
      return under;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(({ close }) => close()));
    });

    test('delivers an event to every subscriber of its name and to no other', async () => {
      const { bus } = await openBus();
      const received: string[] = [];
      bus.on('user-created', ({ userId }) => void received.push(`first ${userId}`));
      bus.on('user-created', ({ userId }) => void received.push(`second ${userId}`));
      bus.on('rights-changed', ({ userId }) => void received.push(`rights ${userId}`));
      bus.emit('user-created', { userId: 'a' });
      await vi.waitFor(() => expect(received).toHaveLength(2));
      expect(new Set(received)).toEqual(new Set(['first a', 'second a']));
    });

    test('keeps the order in which events were emitted, across names', async () => {
      const { bus } = await openBus();
      const received: string[] = [];
      bus.on('user-created', ({ userId }) => void received.push(`created ${userId}`));
      bus.on('rights-changed', ({ userId }) => void received.push(`rights ${userId}`));
      const expected: string[] = [];
      for (let number = 0; number < 100; number += 1) {
        const userId = String(number);
        if (number % 3 === 0) bus.emit('rights-changed', { userId });
        else bus.emit('user-created', { userId });
        expected.push(`${number % 3 === 0 ? 'rights' : 'created'} ${userId}`);
      }
      await vi.waitFor(() => expect(received).toHaveLength(expected.length));
      expect(received).toEqual(expected);
    });

    test('delivers nothing after a subscription ended, and ends only that one', async () => {
      const { bus } = await openBus();
      const received: string[] = [];
      const handler = ({ userId }: { userId: string }) => void received.push(userId);
      const end = bus.on('user-created', handler);
      bus.on('user-created', handler);
      end();
      bus.emit('user-created', { userId: 'a' });
      await vi.waitFor(() => expect(received).toEqual(['a']));
      await bus.settled();
      expect(received).toEqual(['a']);
    });

    test.each([
      [
        'throws',
        () => {
          throw new Error('broken handler');
        },
      ],
      ['rejects', () => Promise.reject(new Error('broken handler'))],
    ])('a handler that %s is reported and keeps the event from no other handler', async (_, broken) => {
      const { bus, errors } = await openBus();
      const received: string[] = [];
      bus.on('user-created', broken);
      bus.on('user-created', ({ userId }) => void received.push(userId));
      expect(() => bus.emit('user-created', { userId: 'a' })).not.toThrow();
      await vi.waitFor(() => expect(received).toEqual(['a']));
      await bus.settled();
      expect(errors).toEqual([{ error: new Error('broken handler'), event: 'user-created' }]);
    });

    test('has subscribers while one is subscribed', async () => {
      const { bus } = await openBus();
      bus.on('user-created', () => undefined);
      expect(bus.hasSubscribers('user-created')).toBe(true);
    });

    test('settled waits for asynchronous handlers, and for the events they emit', async () => {
      const { bus } = await openBus();
      const received: string[] = [];
      bus.on('user-created', async ({ userId }) => {
        await Promise.resolve();
        bus.emit('rights-changed', { userId });
      });
      bus.on('rights-changed', async ({ userId }) => {
        await Promise.resolve();
        received.push(userId);
      });
      bus.emit('user-created', { userId: 'a' });
      await vi.waitFor(async () => {
        await bus.settled();
        expect(received).toEqual(['a']);
      });
    });

    test('payloads arrive as plain data, equal to the emitted ones', async () => {
      const { bus } = await openBus();
      const received: unknown[] = [];
      bus.on('token-removed', (payload) => void received.push(payload));
      bus.emit('token-removed', { addresses: ['a', 'b'] });
      bus.emit('token-removed', { all: true });
      await vi.waitFor(() => expect(received).toEqual([{ addresses: ['a', 'b'] }, { all: true }]));
    });
  });
}
