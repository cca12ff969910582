import { Types } from 'mongoose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../market/testing/market.ts';
import { addressNumber } from '../testing/tokens.ts';
import { userModel } from '../users/model.ts';
import { alertModel } from './model.ts';
import { failures } from './store.ts';
import { noWebhooks, storedUser } from './testing/alerts.ts';
import { emptyMessages } from './testing/messages.ts';
import { createWebhookDelivery, type WebhookDeliveryDeps } from './webhook-delivery.ts';

const { clock, connection, store } = await emptyMessages();
const alerts = alertModel(connection);
const sent = { problem: null, isFinal: true };
const person = () => storedUser(connection, clock.now());

/** Creates a delivery that ends with the test, and the function that stores and adds an alert for a user. */
function makeDelivery(deliver: WebhookDeliveryDeps['webhooks']['deliver'] = async () => sent) {
  const webhooks = { ...noWebhooks, ofUsers: async (ids: readonly string[]) => new Set(ids), deliver };
  const delivery = createWebhookDelivery({ alerts, store, webhooks, clock, random: () => 0.5, log: silentLog });
  onTestFinished(() => delivery.stop());
  let made = 0;
  return {
    ...delivery,
    async enqueue(userId: string): Promise<string | null> {
      made += 1;
      const at = new Date(clock.now());
      const webhook = (await delivery.deliveries([userId], at)).get(userId) ?? null;
      const record = {
        ...{ _id: new Types.ObjectId(), userId: new Types.ObjectId(userId), address: addressNumber(made), ref: null },
        ...{ type: 'preset_match' as const, name: null, symbol: null, text: '', figures: null, price: null, at },
        ...{ telegram: null, cause: null, webhook },
      };
      await alerts.collection.insertOne(record);
      delivery.add([record]);
      return webhook?.reason ?? null;
    },
  };
}

const states = async () =>
  (await alerts.find().sort({ _id: 1 }).lean()).map(({ webhook }) => webhook?.reason ?? webhook?.state);
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000 });

test('a delivery that waits for a slot when its process stops is made by the next one', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, person));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const tried: string[] = [];
  const first = makeDelivery(async (userId) => {
    tried.push(userId);
    await released;
    return sent;
  });
  // Before the start, as by a start of the presets' alerts.
  for (const user of users.slice(0, 3)) await first.enqueue(user);
  await first.start();
  for (const user of users.slice(3)) await first.enqueue(user);
  await until(async () => expect(tried).toHaveLength(10));
  const stopped = first.stop();
  release();
  await stopped;
  await until(async () => expect((await states()).filter((state) => state === 'sent')).toHaveLength(10));
  expect(await alerts.countDocuments({ 'webhook.state': 'queued', 'webhook.isBegun': false })).toBe(2);
  await makeDelivery().start();
  await until(async () => expect(new Set(await states())).toEqual(new Set(['sent'])));
});

test('a webhook that cannot be opened ends the delivery', async () => {
  const delivery = makeDelivery(() => Promise.reject(new Error('no key')));
  await delivery.start();
  await delivery.enqueue(await person());
  await until(async () => expect(await states()).toEqual([failures.unknown]));
});

test('nothing is posted for a user who was deactivated while the delivery waited', async () => {
  const [inactive, other] = [await person(), await person()];
  const posted: string[] = [];
  const delivery = makeDelivery(async (userId) => {
    posted.push(userId);
    return sent;
  });
  for (const user of [inactive, other]) await delivery.enqueue(user);
  await userModel(connection).updateOne({ _id: new Types.ObjectId(inactive) }, { $set: { isActive: false } });
  await delivery.start();
  await until(async () => expect(await states()).toEqual([failures.unwanted, 'sent']));
  expect(posted).toEqual([other]);
});

test('at most 100 deliveries of a user wait, and those of others are accepted', async () => {
  const [busy, other] = [await person(), await person()];
  const delivery = makeDelivery();
  for (let at = 0; at < 100; at += 1) expect(await delivery.enqueue(busy)).toBeNull();
  expect(await delivery.enqueue(busy)).toBe(failures.tooMany);
  expect(await delivery.enqueue(other)).toBeNull();
  await delivery.start();
  await until(async () => expect(await delivery.enqueue(busy)).toBeNull());
});
