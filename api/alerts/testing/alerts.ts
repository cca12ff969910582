import { type Connection, Types } from 'mongoose';
import type { Alert } from '../../../common/alerts/model.ts';
import { type AlertSettings, defaultAlerts } from '../../../common/settings/model.ts';
import type { Template } from '../../../common/templates/model.ts';
import { HOUR } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { createEventBus, type EventBus } from '../../events/bus.ts';
import { type FakeClock, silentLog } from '../../market/testing/market.ts';
import { idAt } from '../../platform/object-ids.ts';
import { createSettings } from '../../settings/service.ts';
import { telegramModels } from '../../telegram/links.ts';
import type { SendResult } from '../../telegram/sender.ts';
import type { Templates } from '../../templates/service.ts';
import { nothingLive } from '../../testing/tokens.ts';
import { createListIndex } from '../../tokens/list-index/list-index.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { type UserRecord, userModel } from '../../users/model.ts';
import { createWatchlists } from '../../watchlists/service.ts';
import type { DeliveryDeps } from '../send.ts';
import { openAlerts } from '../service.ts';
import type { WebhookDeliveryDeps } from '../webhook-delivery.ts';

/** Stores a user created at `at` (epoch ms). Returns the id. */
export async function storedUser(connection: Connection, at: number): Promise<string> {
  const id = new Types.ObjectId(idAt(at).toHexString().slice(0, 8) + new Types.ObjectId().toHexString().slice(8));
  const username = `user-${id.toHexString()}`;
  await userModel(connection).create({
    _id: id,
    username,
    usernameKey: username,
    passwordHash: '-',
    isAdmin: false,
    isActive: true,
    createdAt: new Date(at),
  });
  return id.toHexString();
}

/** Links a chat to a user. Returns the chat's id. */
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

/** Templates whose text is the type and the symbol, so that it differs for every token. */
export const plainTemplates = {
  async defaultOf(type: string): Promise<Pick<Template, 'id' | 'name' | 'template'>> {
    return { id: '', name: `Template of ${type}`, template: `${type} {token.symbol}` };
  },
};

const none = async () => null;

/** No user has a webhook. */
export const noWebhooks: WebhookDeliveryDeps['webhooks'] = { deliver: none, ofUsers: async () => new Set() };

/** An index of the tokens that events bring. */
export function indexOf(bus: Pick<EventBus, 'on'>) {
  const index = createListIndex();
  bus.on('token-changed', ({ at, changes }) => {
    for (const { token } of changes) index.put(token, at);
  });
  return Object.assign(index, { ready: () => Promise.resolve() });
}

interface ProcessOptions {
  clock: FakeClock;
  send?: (chatId: string, text: string) => Promise<SendResult>;
  isConnected?: () => boolean;
  templates?: Pick<Templates, 'defaultOf'>;
  webhooks?: WebhookDeliveryDeps['webhooks'];
  /** Matches of presets that wait, at most. */
  waitingMax?: number;
  /** Tokens in memory at the start: the list index has them. */
  known?: readonly Token[];
  /** Interval of the search for trades without an alert, ms. */
  catchUpInterval?: number;
  /** Called while the alerts start, before the database has responded. */
  whileStarting?: (bus: EventBus) => void;
}

/** Starts the alerts as a server process does: token events in, alerts and messages out. */
export async function startAlerts(connection: Connection, options: ProcessOptions) {
  const { clock, send = async () => 'sent', isConnected = () => true, whileStarting = () => {} } = options;
  const { templates = plainTemplates, catchUpInterval = HOUR, webhooks = noWebhooks, known = [], waitingMax } = options;
  const bus = createEventBus((error) => {
    throw error;
  });
  const created: { userId: string; alert: Alert }[] = [];
  bus.on('alert-created', (event) => void created.push(event));
  const live = new Map<string, TokenRecord>();
  const index = indexOf(bus);
  for (const token of known) index.put(token, clock.now());
  const { alerts, rules, trades, delivery, webhookDelivery } = await openAlerts({
    ...{
      connection,
      market: { liveRecord: (address) => live.get(address), solUsd: () => ({ rate: 100, at: '', source: '' }) },
      index,
      webhooks,
      bus,
      clock,
      random: () => 0.5,
      log: silentLog,
      templates,
      ...(waitingMax === undefined ? {} : { waitingMax }),
      pollInterval: 5,
      catchUpInterval,
    },
    telegram: { links: linksOf(connection), sender: { send }, isConnected },
  });
  const settings = createSettings({
    connection,
    wallets: { find: none, current: none, setAddress: () => Promise.reject(new Error('no wallets here')) },
    ownerCheck: { count: async () => {} },
    bus,
    clock,
  });
  const started = alerts.start();
  whileStarting(bus);
  await started;
  await rules.start();
  await trades.start();
  await delivery.start();
  await webhookDelivery.start();
  const tokens = new Map<string, Token>();
  return {
    alerts,
    rules,
    trades,
    bus,
    /** Records in memory, by address. */
    live,
    watchlists: createWatchlists({ connection, bus, market: nothingLive, clock }),
    /** The alert events, in order. */
    created,
    /** The same as `type address user`. */
    createdLines: () => created.map(({ userId, alert }) => `${alert.type} ${alert.address} ${userId}`),
    /** Stores a user and emits the event. */
    async user(): Promise<string> {
      const userId = await storedUser(connection, clock.now());
      bus.emit('user-created', { userId });
      await alerts.settled();
      return userId;
    },
    /** Stores a user as another process does, without an event, and lets them sign in. */
    async userOfAnotherProcess(): Promise<string> {
      const userId = await storedUser(connection, clock.now());
      bus.emit('signed-in', { userId });
      await alerts.settled();
      return userId;
    },
    /** Emits a new token. */
    detect(token: Token): void {
      tokens.set(token.address, token);
      bus.emit('token-changed', { at: clock.now(), changes: [{ token, isNew: true, isComplete: true }] });
    },
    /** Emits changed fields of a token that was detected; before, it is stored only and `stored` has its other fields. */
    patch(stored: Token, fields: Partial<Token>): void {
      const token = { ...(tokens.get(stored.address) ?? stored), ...fields };
      tokens.set(token.address, token);
      bus.emit('token-changed', { at: clock.now(), changes: [{ token, isNew: false, isComplete: true }] });
    },
    async change(userId: string, alertSettings: Partial<AlertSettings>) {
      const user = await userModel(connection).findById(userId).orFail().lean<UserRecord>();
      await settings.change(userId, { alerts: { ...defaultAlerts, ...alertSettings } }, { user, address: '::1' });
    },
    async stop() {
      await Promise.all([delivery.stop(), webhookDelivery.stop()]);
      await Promise.all([alerts.stop(), rules.stop(), trades.stop()]);
    },
  };
}
export type AlertsProcess = Awaited<ReturnType<typeof startAlerts>>;
