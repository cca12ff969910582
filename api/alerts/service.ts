import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Alert, AlertHour } from '../../common/alerts/model.ts';
import { alertsPerHour } from '../../common/settings/model.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { EventSink, EventSource } from '../events/bus.ts';
import { ensureIndexes } from '../platform/database.ts';
import type { Templates } from '../templates/service.ts';
import type { LiveIndex } from '../tokens/list-index/live-index.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenRecord } from '../tokens/record.ts';
import type { TokenMarket } from '../tokens/service.ts';
import { createHours } from './hour.ts';
import { loadBaselines, loadYoungTokens } from './matching/bootstrap.ts';
import { createMatcher, type Matcher } from './matching/matcher.ts';
import { createUserChanges, type UserChanges } from './matching/subscribers.ts';
import { createWatchBaselines, type WatchBaselines } from './matching/watch-baselines.ts';
import { alertModel } from './model.ts';
import { openAlertRules } from './rules/service.ts';
import { createDelivery, type DeliveryDeps, type Outgoing } from './send.ts';
import { type AlertStore, createAlertStore } from './store.ts';
import { createAlertText, createTemplateReader } from './text.ts';
import { createTradeAlerts } from './trades/trades.ts';
import { createWebhookDelivery, type WebhookDeliveryDeps } from './webhook-delivery.ts';
import { type AlertWriterDeps, createAlertWriter } from './write.ts';

interface AlertsDeps {
  connection: Connection;
  market: Pick<TokenMarket, 'liveRecord' | 'solUsd'>;
  index: Pick<LiveIndex, 'rows' | 'follow' | 'ready'>;
  webhooks: WebhookDeliveryDeps['webhooks'];
  templates: Pick<Templates, 'defaultOf'>;
  telegram: Pick<DeliveryDeps, 'links' | 'sender' | 'isConnected'>;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Intervals of the delivery and of the search for trades without an alert, ms; shorter in tests. */
  pollInterval?: number;
  /** Matches of presets that wait, at most; fewer in tests. */
  waitingMax?: number;
  catchUpInterval?: number;
}

/**
 * Opens the alerts by the settings, by users and about trades, and their delivery, and creates the indexes. None is
 * started.
 */
export async function openAlerts(deps: AlertsDeps) {
  const { connection, telegram } = deps;
  const model = alertModel(connection);
  await ensureIndexes(model);
  const store = createAlertStore(connection);
  const webhookDelivery = createWebhookDelivery({ ...deps, alerts: model, store });
  const delivery = createDelivery({ ...deps, ...telegram, store });
  const trades = createTradeAlerts({
    ...deps,
    outgoing: delivery,
    log: deps.log.child({ part: 'alerts about trades' }),
    alerts: store,
    readTemplate: createTemplateReader(deps),
  });
  const rules = await openAlertRules({
    ...{ ...deps, store, outgoing: delivery, webhooks: webhookDelivery, readTemplate: createTemplateReader(deps) },
    token: (address) => currentToken(deps, address),
  });
  return {
    alerts: createAlerts({ ...deps, outgoing: delivery, store }),
    rules,
    trades,
    delivery,
    webhookDelivery,
  };
}

export type Alerts = ReturnType<typeof createAlerts>;

function createAlerts(deps: AlertsDeps & { store: AlertStore; outgoing: Outgoing }) {
  const { connection, market, bus, clock, store } = deps;
  const log = deps.log.child({ part: 'alerts' });
  const stopping = new AbortController();
  const { signal } = stopping;
  const watched = createWatchBaselines(connection, market);
  const limitOf = (userId: string) => matcher.subscriber(userId)?.alerts.alertsPerHour ?? alertsPerHour.default;
  const hours = createHours({ count: store.countByUser, limitOf, keyOf: ({ userId }) => userId.toHexString() });
  const writer = createAlertWriter({
    ...deps,
    ...{ hours, limitOf, log, signal, textOf: createAlertText(deps) },
    token: (address) => currentToken(deps, address),
    onStored: (match, userIds, records) => afterStored({ matcher, watched, clock }, match, userIds, records),
  });
  const matcher: Matcher = createMatcher({
    clock,
    found: writer.offer,
    onFirstPrice: (...first) => users.onFirstPrice(...first),
  });
  const users: UserChanges = createUserChanges({ connection, matcher, watched, clock, log, signal });
  let subscriptions: (() => void)[] = [];
  let background: Promise<void> = Promise.resolve();

  return {
    /** Returns the user's newest alerts, newest first. */
    list: (userId: string, limit: number): Promise<Alert[]> => store.list(userId, limit),
    /** Returns the user's alerts of the present hour, counted. */
    hour: (userId: string): Omit<AlertHour, 'presets' | 'allPresets'> => hours.of(userId, clock.now()),
    /** Subscribes to events, and resolves when users and young tokens are loaded. Call it before the market starts. */
    async start(): Promise<void> {
      subscriptions = [
        bus.on('token-changed', matcher.onTokensChanged),
        bus.on('token-removed', matcher.onTokensRemoved),
        bus.on('user-created', users.onUserCreated),
        bus.on('signed-in', users.onSignedIn),
        bus.on('settings-changed', users.onSettingsChanged),
        bus.on('watchlist-changed', users.onWatchlistChanged),
      ];
      const now = clock.now();
      await hours.load(now);
      await users.load();
      await loadYoungTokens({ connection, store, matcher, now, room: writer.room });
      // Not awaited: they may be many, and a moved price is still found with its next change.
      background = loadBaselines({ store, watched, matcher, now, signal }).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ error }, 'price baselines could not be loaded');
      });
    },
    /** Resolves when everything received so far has been processed. */
    async settled(): Promise<void> {
      await background;
      await users.settled();
      await writer.settled();
      await users.settled();
    },
    async stop(): Promise<void> {
      for (const end of subscriptions) end();
      stopping.abort();
      await Promise.all([writer.stop(), background, users.settled()]);
    },
  };
}

/** Resolves with the token in memory, or else as stored; null when unknown. */
async function currentToken({ connection, market }: AlertsDeps, address: string) {
  const live = market.liveRecord(address);
  const record = live ?? (await tokenModels(connection).tokens.findById(address).lean<TokenRecord>());
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
