import { type Connection, Types } from 'mongoose';
import type { Logger } from 'pino';
import type { AlertSettings } from '../../../common/settings/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { DomainEvents } from '../../events/events.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { alertsOf, type SettingsRecord, settingsModel } from '../../settings/model.ts';
import { type UserRecord, userModel } from '../../users/model.ts';
import type { Subscriber } from './match.ts';
import type { Matcher } from './matcher.ts';
import type { WatchBaselines } from './watch-baselines.ts';

type UserFields = Pick<UserRecord, '_id' | 'createdAt'>;
const USER_FIELDS = { createdAt: 1 };
const SETTINGS_FIELDS = { alerts: 1, alertsAt: 1, priceAlertsAt: 1 };

/** Reads subscribers from the stored users and settings. */
export function createSubscriberReader(connection: Connection) {
  const users = userModel(connection);
  const settings = settingsModel(connection);

  return {
    async all(): Promise<Subscriber[]> {
      // Reads both collections in full, once at the start.
      const [everyone, stored] = await Promise.all([
        users.find({}, USER_FIELDS).lean<UserFields[]>(),
        settings.find({}, SETTINGS_FIELDS).lean<SettingsRecord[]>(),
      ]);
      const byUser = new Map(stored.map((record) => [record._id.toHexString(), record]));
      return everyone.map((user) => subscriberOf(user, byUser.get(user._id.toHexString())));
    },
    /** Resolves with null when the user does not exist. */
    async byId(userId: string): Promise<Subscriber | null> {
      const _id = new Types.ObjectId(userId);
      const [user, stored] = await Promise.all([
        users.findById(_id, USER_FIELDS).lean<UserFields>(),
        settings.findById(_id, SETTINGS_FIELDS).lean<SettingsRecord>(),
      ]);
      return user && subscriberOf(user, stored ?? undefined);
    },
  };
}

function subscriberOf({ _id, createdAt }: UserFields, settings: SettingsRecord | undefined): Subscriber {
  return {
    id: _id.toHexString(),
    alerts: alertsOf(settings),
    since: Math.max(createdAt.getTime(), settings?.alertsAt?.getTime() ?? 0),
    priceSince: settings?.priceAlertsAt?.getTime() ?? 0,
  };
}

/**
 * Returns the subscriber after saving these alert settings at `now` (epoch ms). Settings that match the same tokens as
 * before keep the earlier times.
 */
export function withAlerts(subscriber: Subscriber, alerts: AlertSettings, now: number): Subscriber {
  if (matchEqually(subscriber.alerts, alerts)) return { ...subscriber, alerts };
  const switchesOn = alerts.priceChangeAlerts && !subscriber.alerts.priceChangeAlerts;
  return { ...subscriber, alerts, since: now, priceSince: switchesOn ? now : subscriber.priceSince };
}

function matchEqually(one: AlertSettings, other: AlertSettings): boolean {
  return (
    one.minLiquidity === other.minLiquidity &&
    one.maxRisk === other.maxRisk &&
    one.newTokenAlerts === other.newTokenAlerts &&
    one.priceChangeAlerts === other.priceChangeAlerts
  );
}

interface UserChangesDeps {
  connection: Connection;
  matcher: Matcher;
  watched: WatchBaselines;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

export type UserChanges = ReturnType<typeof createUserChanges>;

/** Applies what users change to the matcher. Database work runs in the background, in order for each key. */
export function createUserChanges({ connection, matcher, watched, clock, log, signal }: UserChangesDeps) {
  const subscribers = createSubscriberReader(connection);
  const inOrder = createKeyedMutex();
  const running = new Set<Promise<void>>();
  let loaded: Promise<void> = Promise.resolve();

  function inBackground(key: string, work: () => Promise<void>): void {
    const done = inOrder(key, work).catch((error: unknown) => {
      // Lost until the next start: a new user, or the price from which an alert is measured.
      if (!signal.aborted) log.warn({ error }, 'a change of a user could not be applied to the alerts');
    });
    running.add(done);
    void done.finally(() => running.delete(done));
  }

  async function read(userId: string): Promise<void> {
    await loaded.catch(() => {});
    const subscriber = await subscribers.byId(userId);
    if (subscriber) matcher.put(subscriber);
  }

  async function watch(userId: string, which: { address: string } | 'all'): Promise<void> {
    if (!matcher.subscriber(userId)) await read(userId);
    for (const baseline of await watched.setPresentPrices(userId, which, clock.now())) matcher.watch(userId, baseline);
  }

  return {
    /** Loads every subscriber. Users whose change arrives earlier are read from the database afterwards. */
    load(): Promise<void> {
      loaded = subscribers.all().then((everyone) => {
        for (const subscriber of everyone) if (!matcher.subscriber(subscriber.id)) matcher.put(subscriber);
      });
      return loaded;
    },
    onUserCreated: ({ userId }: DomainEvents['user-created']) => inBackground(userId, () => read(userId)),
    /** Reads users that another process created, such as the operator's commands, which share no bus with the server. */
    onSignedIn({ userId }: DomainEvents['signed-in']): void {
      if (!matcher.subscriber(userId)) inBackground(userId, () => read(userId));
    },
    onSettingsChanged({ userId, settings }: DomainEvents['settings-changed']): void {
      const before = matcher.subscriber(userId);
      if (!before) {
        inBackground(userId, () => read(userId));
        return;
      }
      const after = withAlerts(before, settings.alerts, clock.now());
      matcher.put(after);
      if (after.priceSince === before.priceSince) return;
      inBackground(userId, async () => {
        await watched.resetPrices(userId);
        await watch(userId, 'all');
      });
    },
    onWatchlistChanged({ userId, change: { op, item } }: DomainEvents['watchlist-changed']): void {
      const { list, address } = item;
      if (list !== 'watch') return;
      inBackground(userId, async () => {
        if (op === 'saved') await watch(userId, { address });
        else matcher.unwatch(userId, address);
      });
    },
    /** Stores the first known price of watched tokens. */
    onFirstPrice: (address: string, price: number, userIds: readonly string[]): void =>
      inBackground(address, () => watched.setFirstPrice(address, price, clock.now(), userIds)),
    /** Resolves when no background work is left. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
