import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { broadcastModel } from '../../telegram/broadcast/model.ts';
import { emptyQueue } from '../testing/empty-queue.ts';
import { createNotificationStats, STATS_TTL } from './notification-stats.ts';

const { clock, connection, enqueue, makeQueue, person } = await emptyQueue();

test('counts the sent, failed and queued messages of the last 24 h by template, broadcasts included [S2.16-04]', async () => {
  const stats = createNotificationStats({ connection, clock });
  const [one, two] = [await person(), await person()];
  const queue = makeQueue();
  await enqueue(queue, one, 'yesterday');
  await queue.claim([], clock.now());
  clock.pass(86_400_001);
  expect(await stats.read()).toEqual([]);
  for (const text of ['a', 'b', 'c']) await enqueue(queue, one, text);
  await enqueue(queue, two, 'd');
  const claimed = await queue.claim([new Types.ObjectId(two.id)], clock.now());
  if (claimed) await queue.end(claimed, { sent: true });
  await queue.claim([new Types.ObjectId(two.id)], clock.now());
  await queue.endAllOf(new Types.ObjectId(two.id), 'gone');
  const at = new Date(clock.now());
  await broadcastModel(connection).create({
    _id: new Types.ObjectId(),
    at,
    total: 9,
    sent: 4,
    failed: 2,
    endedAt: null,
  });
  expect(await stats.read()).toEqual([]);
  clock.pass(STATS_TTL);
  expect(await stats.read()).toEqual([
    { template: 'New token', sent: 1, failed: 1, queued: 2 },
    { template: 'Broadcast', sent: 4, failed: 2, queued: 3 },
  ]);
});

test('requests during a read share its counts, however long it takes', async () => {
  const stats = createNotificationStats({ connection, clock });
  const first = stats.read();
  clock.pass(STATS_TTL);
  expect(stats.read()).toBe(first);
  await first;
});
