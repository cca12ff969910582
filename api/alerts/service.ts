import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Alert, AlertHour } from '../../common/alerts/model.ts';
import { alertsPerHour } from '../../common/settings/model.ts';
import { type Clock, HOUR, type Random } from '../../common/time.ts';
import type { EventSink, EventSource } from '../events/bus.ts';
import { dropIndexes, ensureIndexes } from '../platform/database.ts';
import type { Templates } from '../templates/service.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { type AlertWriterDeps, createAlertWriter } from './alert-writer.ts';
import { createDelivery, type Delivery, type DeliveryDeps } from './delivery/delivery.ts';
import { createQueue } from './delivery/queue.ts';
import { alertHourModel, createHeldBack } from './limit/held-back.ts';
import { createPlaces, hourOf } from './limit/places.ts';
import { loadBaselines, loadYoungTokens } from './matching/bootstrap.ts';
import { createMatcher, type Matcher } from './matching/matcher.ts';
import { createSubscriberReader } from './matching/subscribers.ts';
import { createUserChanges, type UserChanges } from './matching/user-changes.ts';
import { createWatchBaselines, type WatchBaselines } from './matching/watch-baselines.ts';
import { alertModel, formerAlertIndexes } from './model.ts';
import { type AlertStore, createAlertStore } from './store.ts';
import { createAlertText, createTemplateReader } from './text.ts';
import { openCheckpoint } from './trades/checkpoint.ts';
import { createTradeAlerts, type TradeAlerts } from './trades/trade-alerts.ts';
import { createTradeAlertStore } from './trades/trade-store.ts';

export interface Alerts {
  /** Returns the user's newest alerts, newest first. */
  list(userId: string, limit: number): Promise<Alert[]>;
  /** Returns the user's alerts of the present hour, counted. */
  hour(userId: string): Promise<AlertHour>;
  /** Subscribes to events, and resolves when users and young tokens are loaded. Call it before the market starts. */
  start(): Promise<void>;
  /** Resolves when everything received so far has been processed. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface AlertsDeps extends Pick<AlertWriterDeps, 'textOf' | 'outgoing'> {
  connection: Connection;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
}

interface OpenDeps extends Omit<AlertsDeps, 'textOf' | 'outgoing'> {
  templates: Pick<Templates, 'defaultOf'>;
  telegram: Pick<DeliveryDeps, 'links' | 'sender' | 'isConnected'>;
  /** Intervals of the delivery and of the search for trades without an alert, ms; shorter in tests. */
  pollInterval?: number;
  catchUpInterval?: number;
}

/** The alerts about tokens, those about trades, and the delivery of both. None is started. */
export interface OpenedAlerts {
  alerts: Alerts;
  trades: TradeAlerts;
  delivery: Delivery;
}

/** Opens the alerts of this database and their delivery to Telegram, and creates their indexes. */
export async function openAlerts(deps: OpenDeps): Promise<OpenedAlerts> {
  const { connection, telegram } = deps;
  await ensureIndexes(alertModel(connection));
  // Only now: alerts stay single while an index is replaced.
  await dropIndexes(alertModel(connection), formerAlertIndexes);
  await ensureIndexes(alertHourModel(connection));
  const queue = createQueue({ connection, links: telegram.links });
  const store = createAlertStore(connection);
  const delivery = createDelivery({ ...deps, ...telegram, queue, store });
  const outgoing = { messages: queue.messages, wake: delivery.wake };
  const trades = createTradeAlerts({
    ...deps,
    outgoing,
    log: deps.log.child({ part: 'alerts about trades' }),
    store: createTradeAlertStore(connection),
    alerts: store,
    checkpoint: openCheckpoint(connection),
    readTemplate: createTemplateReader(deps),
  });
  return { alerts: createAlerts({ ...deps, textOf: createAlertText(deps), outgoing, store }), trades, delivery };
}

function createAlerts(deps: AlertsDeps & { store: AlertStore }): Alerts {
  const { connection, bus, clock, store } = deps;
  const log = deps.log.child({ part: 'alerts' });
  const stopping = new AbortController();
  const { signal } = stopping;
  const watched = createWatchBaselines(connection);
  const heldBack = createHeldBack(connection);
  const limitOf = (userId: string) => matcher.subscriber(userId)?.alerts.alertsPerHour ?? alertsPerHour.default;
  const writer = createAlertWriter({
    ...deps,
    ...{ heldBack, limitOf, log, signal },
    places: createPlaces({ store, limitOf }),
    token: (address) => storedToken(connection, address),
    onStored: (match, userIds, records) => afterStored({ matcher, watched, clock }, match, userIds, records),
  });
  const matcher: Matcher = createMatcher({
    clock,
    found: writer.offer,
    isFull: writer.isFull,
    onFirstPrice: (...first) => users.onFirstPrice(...first),
  });
  const subscribers = createSubscriberReader(connection);
  const users: UserChanges = createUserChanges({ matcher, subscribers, watched, clock, log, signal });
  let subscriptions: (() => void)[] = [];
  let background: Promise<void> = Promise.resolve();

  return {
    list: (userId, limit) => store.list(userId, limit),
    async hour(userId) {
      const now = clock.now();
      const [taken, count] = await Promise.all([
        store.placesTaken([userId], hourOf(now)),
        heldBack.ofThisHour(userId, now),
      ]);
      const since = new Date(hourOf(now) * HOUR).toISOString();
      return { since, limit: limitOf(userId), received: taken.get(userId) ?? 0, heldBack: count };
    },
    async start() {
      subscriptions = [
        bus.on('token-changed', matcher.onTokensChanged),
        bus.on('token-removed', matcher.onTokensRemoved),
        bus.on('user-created', users.onUserCreated),
        bus.on('signed-in', users.onSignedIn),
        bus.on('settings-changed', users.onSettingsChanged),
        bus.on('watchlist-changed', users.onWatchlistChanged),
      ];
      const now = clock.now();
      await users.load();
      await loadYoungTokens({ connection, store, matcher, now });
      // Not awaited: they may be many, and a moved price is still found with its next change.
      background = loadBaselines({ store, watched, matcher, now, signal }).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ error }, 'price baselines could not be loaded');
      });
    },
    async settled() {
      await background;
      await users.settled();
      await writer.settled();
      await users.settled();
    },
    async stop() {
      for (const end of subscriptions) end();
      stopping.abort();
      await Promise.all([writer.stop(), background, users.settled()]);
      await heldBack.store(clock.now(), true).catch((error: unknown) => {
        log.warn({ error }, 'counts of alerts held back could not be stored');
      });
    },
  };
}

async function storedToken(connection: Connection, address: string) {
  const record = await tokenModels(connection).tokens.findById(address).lean<TokenRecord>();
  return record && presentToken(record);
}

/** Ends the baselines of moved prices, and starts those of new tokens. */
async function afterStored(
  { matcher, watched, clock }: { matcher: Matcher; watched: WatchBaselines; clock: Clock },
  ...[match, userIds, records]: Parameters<AlertWriterDeps['onStored']>
): Promise<void> {
  if (match.type === 'price_alert') await watched.markAlerted(match.address, clock.now(), userIds);
  else
    for (const { userId, price, at } of records)
      matcher.alerted(userId.toHexString(), { address: match.address, price, since: at.getTime() });
}
