import { Types } from 'mongoose';
import { beforeEach } from 'vitest';
import { fakeClock } from '../../market/testing/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { telegramModels } from '../../telegram/links/model.ts';
import { testConnection } from '../../testing/database.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { createQueue } from '../delivery/queue.ts';
import { type AlertRecord, alertModel } from '../model.ts';
import { linkedChat, linksOf, storedUser } from './alerts.ts';

/** The queue of messages in a database of the file, and users with chats. Each test begins with an empty queue. */
export async function emptyQueue() {
  // The present time, since MongoDB removes expired documents by its own clock.
  const clock = fakeClock(Date.now());
  const connection = await testConnection();
  await ensureIndexes(alertModel(connection));

  beforeEach(async () => {
    await alertModel(connection).deleteMany({});
    await telegramModels(connection).links.deleteMany({});
  });

  const makeQueue = () => createQueue({ connection, links: linksOf(connection) });
  let made = 0;
  return {
    clock,
    connection,
    makeQueue,
    /** A user with a chat. */
    async person() {
      const id = await storedUser(connection, clock.now());
      return { id, chatId: await linkedChat(connection, id) };
    },
    /** Queues a message for the person, as an alert does. */
    async enqueue(queue: ReturnType<typeof makeQueue>, { id }: { id: string }, text: string): Promise<void> {
      made += 1;
      const at = new Date(clock.now());
      const telegram = (await queue.messages([id], 'New token', at)).get(id) ?? null;
      const record: AlertRecord = {
        _id: new Types.ObjectId(),
        userId: new Types.ObjectId(id),
        type: 'new_token',
        address: addressNumber(made),
        ref: null,
        name: null,
        symbol: null,
        text,
        figures: null,
        price: null,
        place: null,
        at,
        telegram,
      };
      await alertModel(connection).create(record);
    },
  };
}
