import mongoose, { type Connection, Types } from 'mongoose';
import type { Alert } from '../../../common/alerts/model.ts';
import { type AlertSettings, defaultAlerts } from '../../../common/settings/model.ts';
import type { FeedEvent } from '../../../realtime/feed-log/feed-log.ts';
import { createMemoryLog } from '../../../realtime/feed-log/memory.ts';
import { createPublisher } from '../../../realtime/publisher.ts';
import { type FakeClock, silentLog } from '../../market/testing/market.ts';
import { createSettings } from '../../settings/service.ts';
import { telegramModels } from '../../telegram/links/model.ts';
import type { SendResult } from '../../telegram/sender.ts';
import { testDatabase } from '../../testing/database.ts';
import { type UserRecord, userModel } from '../../users/model.ts';
import { createTellUser, type TellUser } from '../../users/user-events.ts';
import { createWatchlists } from '../../watchlists/service.ts';
import { createDelivery, type DeliveryDeps } from '../delivery/delivery.ts';
import { createQueue } from '../delivery/queue.ts';
import { openAlerts } from '../service.ts';
import { createAlertStore } from '../store.ts';

export function openTestDatabase(): Promise<Connection> {
  return mongoose.createConnection(testDatabase().uri, { monitorCommands: true, autoIndex: false }).asPromise();
}

/** A user who is stored since `at`. Gives the id. */
export async function storedUser(connection: Connection, at: number, { isActive = true } = {}): Promise<string> {
  const _id = Types.ObjectId.createFromTime(Math.floor(at / 1000));
  const id = new Types.ObjectId(_id.toHexString().slice(0, 8) + new Types.ObjectId().toHexString().slice(8));
  const username = `user-${id.toHexString()}`;
  await userModel(connection).create({
    _id: id,
    username,
    usernameKey: username,
    passwordHash: '-',
    isAdmin: false,
    isActive,
    createdAt: new Date(at),
  });
  return id.toHexString();
}

/** Ties a chat to a user. Gives the chat's id. */
export async function linkedChat(connection: Connection, userId: string, goneAt: Date | null = null): Promise<string> {
  const chatId = String(Number.parseInt(userId.slice(-8), 16));
  const record = { chatId, telegramUserId: chatId, username: null, linkedAt: new Date(), goneAt };
  await telegramModels(connection).links.updateOne(
    { _id: new Types.ObjectId(userId) },
    { $set: record },
    { upsert: true },
  );
  return chatId;
}

export function linksOf(connection: Connection): DeliveryDeps['links'] {
  return {
    async ofUsers(userIds) {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      const found = await telegramModels(connection)
        .links.find({ _id: { $in: ids } })
        .lean();
      return new Map(found.map((link) => [link._id.toHexString(), link]));
    },
  };
}

const nothing = async () => null;

interface ProcessOptions {
  clock: FakeClock;
  send?: (chatId: string, text: string) => Promise<SendResult>;
  isConnected?: () => boolean;
  /** Called while it starts, before the database has answered. */
  whileStarting?: (tell: TellUser) => void;
}

/** One life of the server, as far as alerts go: feed in, alerts and messages out. */
export async function startAlerts(connection: Connection, options: ProcessOptions) {
  const { clock, send = async () => 'sent', isConnected = () => true, whileStarting = () => {} } = options;
  const feedLog = createMemoryLog({ clock });
  const publisher = createPublisher(feedLog);
  const heard: { userId: string; alert: Alert }[] = [];
  feedLog.tail({
    entries: () => {},
    message(message) {
      if (message.event === 'alert') heard.push({ userId: message.room.slice('user:'.length), alert: message.payload });
    },
  });
  const links = linksOf(connection);
  const queue = createQueue({ connection, links });
  const common = { connection, clock, random: () => 0.5, log: silentLog };
  const delivery = createDelivery({
    ...common,
    queue,
    links,
    store: createAlertStore(connection),
    sender: { send },
    isConnected,
    lookEvery: 5,
  });
  const alerts = await openAlerts({
    ...common,
    feedLog,
    publisher,
    textOf: async (type, { symbol }) => ({ text: `${type} ${symbol}`, template: `Template of ${type}` }),
    outgoing: { deliveries: queue.deliveries, wake: delivery.wake },
    newcomersEvery: 3_600_000,
  });
  const tell = createTellUser(publisher);
  const watchlists = createWatchlists({ connection, tell, clock });
  const settings = createSettings({
    connection,
    wallets: { find: nothing, current: nothing, setAddress: () => Promise.reject(new Error('no wallets here')) },
    ownerCheck: { count: async () => {} },
    tell,
    clock,
  });
  const started = alerts.start();
  whileStarting(tell);
  await started;
  delivery.start();
  return {
    alerts,
    delivery,
    queue,
    watchlists,
    /** Alerts that tabs heard of, and whose. */
    heard,
    told: () => heard.map(({ userId, alert }) => `${alert.type} ${alert.address} ${userId}`),
    publish: (...events: FeedEvent[]) => publisher.publish(events),
    async change(userId: string, alerts: Partial<AlertSettings>) {
      const user = await userModel(connection).findById(userId).orFail().lean<UserRecord>();
      await settings.change(userId, { alerts: { ...defaultAlerts, ...alerts } }, { user, address: '::1' });
    },
    async stop() {
      await delivery.stop();
      await alerts.stop();
      await feedLog.close();
    },
  };
}
export type AlertsProcess = Awaited<ReturnType<typeof startAlerts>>;
