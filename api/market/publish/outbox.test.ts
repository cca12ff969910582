import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createMemoryLog } from '../../../realtime/feed-log/memory.ts';
import { createPublisher } from '../../../realtime/publisher.ts';
import { createEventBus } from '../../events/bus.ts';
import { createOutbox } from './outbox.ts';

const log = pino({ level: 'silent' });

test('publications that the feed rejects together are not published again: an epoch replaces them', async () => {
  const memory = createMemoryLog({ clock: { now: Date.now } });
  let isAway = true;
  const publisher = createPublisher({
    ...memory,
    append: (events) => (isAway ? Promise.reject(new Error('away')) : memory.append(events)),
  });
  const outbox = createOutbox({ publisher, bus: createEventBus(() => undefined), log });
  const publish = (address: string) => {
    outbox.addRemovals([{ addresses: [address] }]);
    return outbox.publish();
  };
  expect(await Promise.all([publish('first'), publish('second')])).toEqual([null, null]);
  isAway = false;
  const position = await publish('third');
  expect(position?.seq).toBe(1);
  expect(await memory.since({ epoch: memory.head().epoch, seq: 0 })).toMatchObject({
    entries: [{ event: 'tokens-removed', payload: { addresses: ['third'] } }],
  });
});
