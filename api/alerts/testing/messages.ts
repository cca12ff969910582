import { Types } from 'mongoose';
import { beforeEach, onTestFinished } from 'vitest';
import { fakeClock, silentLog } from '../../market/testing/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { telegramModels } from '../../telegram/links.ts';
import type { SendResult } from '../../telegram/sender.ts';
import { testConnection } from '../../testing/database.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { type AlertRecord, alertModel, type DeliveryState } from '../model.ts';
import { createDelivery, type DeliveryDeps } from '../send.ts';
import { createAlertStore } from '../store.ts';
import { linkedChat, linksOf, storedUser } from './alerts.ts';

/** Messages of alerts in a database of the file, and users with chats. Each test begins without any. */
export async function emptyMessages() {
  // The present time, since MongoDB removes expired documents by its own clock.
  const clock = fakeClock(Date.now());
  const connection = await testConnection();
  await ensureIndexes(alertModel(connection));

  beforeEach(async () => {
    await alertModel(connection).deleteMany({});
    await telegramModels(connection).links.deleteMany({});
  });

  let made = 0;
  const store = createAlertStore(connection);
  return {
    clock,
    connection,
    store,
    /** A user with a chat. */
    async person() {
      const id = await storedUser(connection, clock.now());
      return { id, chatId: await linkedChat(connection, id) };
    },
    /** Creates a delivery that ends with the test. */
    makeDelivery(
      send: (chatId: string, text: string) => Promise<SendResult> = async () => 'sent',
      options: Partial<Pick<DeliveryDeps, 'isConnected' | 'waitingMax'>> = {},
    ) {
      const links = linksOf(connection);
      const delivery = createDelivery({
        ...{ links, store, sender: { send }, isConnected: () => true, clock, random: () => 0.5, log: silentLog },
        ...{ pollInterval: 5, ...options },
      });
      onTestFinished(() => delivery.stop());
      return delivery;
    },
    /** Stores an alert with a message for the person, as a writer does; `ref`: of an alert about an own trade. */
    async enqueue(
      delivery: ReturnType<typeof createDelivery>,
      { id }: { id: string },
      text: string,
      ref: string | null = null,
    ): Promise<Types.ObjectId> {
      made += 1;
      const at = new Date(clock.now());
      const telegram = (await delivery.messages([id], 'New token', at)).get(id) ?? null;
      const record: AlertRecord = {
        ...{ _id: new Types.ObjectId(), userId: new Types.ObjectId(id), address: addressNumber(made), ref },
        ...{ type: ref === null ? 'new_token' : 'trade_bought', name: null, symbol: null },
        ...{ text, figures: null, price: null, at, telegram, cause: null, webhook: null },
      };
      await alertModel(connection).create(record);
      delivery.add([record]);
      return record._id;
    },
    /** Returns the texts in this state, in the order in which they were stored. */
    async ended(state: DeliveryState, reason: string | null = null): Promise<string[]> {
      const found = await alertModel(connection)
        .find({ 'telegram.state': state, 'telegram.reason': reason })
        .sort({ _id: 1 })
        .lean<AlertRecord[]>();
      return found.map(({ text }) => text);
    },
  };
}
