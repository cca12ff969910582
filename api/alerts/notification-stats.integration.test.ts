import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { broadcastModel } from '../telegram/broadcast.ts';
import { createNotificationStats, STATS_TTL } from './notification-stats.ts';
import { emptyMessages } from './testing/messages.ts';

const { clock, connection, enqueue, makeDelivery, person, store } = await emptyMessages();

test('counts the sent, failed and queued messages of the last 24 h by template, broadcasts included [S2.16-04]', async () => {
  const stats = createNotificationStats({ connection, clock });
  const [one, two] = [await person(), await person()];
  const delivery = makeDelivery();
  await store.begin(await enqueue(delivery, one, 'yesterday'));
  clock.pass(86_400_001);
  expect(await stats.read()).toEqual([]);
  const sent = await enqueue(delivery, one, 'a');
  await store.begin(sent);
  await store.end(sent, 'sending', 'sent');
  await store.begin(await enqueue(delivery, one, 'b'));
  await enqueue(delivery, one, 'c');
  await store.end(await enqueue(delivery, two, 'd'), 'queued', { failed: 'gone' });
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
  clock.pass(STATS_TTL + 1);
  expect(await stats.read()).toEqual([
    { template: 'New token', sent: 1, failed: 1, queued: 2 },
    { template: 'Broadcast', sent: 4, failed: 2, queued: 3 },
  ]);
});
