import type { Logger } from 'pino';
import type { Clock } from '../../../common/time.ts';
import type { DomainEvents } from '../../events/events.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { Matcher } from './matcher.ts';
import { type SubscriberReader, withAlerts } from './subscribers.ts';
import type { WatchBaselines } from './watch-baselines.ts';

interface UserChangesDeps {
  matcher: Matcher;
  subscribers: SubscriberReader;
  watched: WatchBaselines;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

/** Applies what users change to the matcher. Database work runs in the background, in order for each key. */
export interface UserChanges {
  /** Loads every subscriber. Users whose change arrives earlier are read from the database afterwards. */
  load(): Promise<void>;
  onUserCreated(event: DomainEvents['user-created']): void;
  /** Reads users that another process created, such as the operator's commands, which share no bus with the server. */
  onSignedIn(event: DomainEvents['signed-in']): void;
  onSettingsChanged(event: DomainEvents['settings-changed']): void;
  onWatchlistChanged(event: DomainEvents['watchlist-changed']): void;
  /** Stores the first known price of watched tokens. */
  onFirstPrice(address: string, price: number, userIds: readonly string[]): void;
  /** Resolves when no background work is left. */
  settled(): Promise<void>;
}

export function createUserChanges({ matcher, subscribers, watched, clock, log, signal }: UserChangesDeps): UserChanges {
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
    load() {
      loaded = subscribers.all().then((everyone) => {
        for (const subscriber of everyone) if (!matcher.subscriber(subscriber.id)) matcher.put(subscriber);
      });
      return loaded;
    },
    onUserCreated: ({ userId }) => inBackground(userId, () => read(userId)),
    onSignedIn({ userId }) {
      if (!matcher.subscriber(userId)) inBackground(userId, () => read(userId));
    },
    onSettingsChanged({ userId, settings }) {
      const before = matcher.subscriber(userId);
      if (!before) return inBackground(userId, () => read(userId));
      const after = withAlerts(before, settings.alerts, clock.now());
      matcher.put(after);
      if (after.priceSince === before.priceSince) return;
      inBackground(userId, async () => {
        await watched.resetPrices(userId);
        await watch(userId, 'all');
      });
    },
    onWatchlistChanged({ userId, change: { op, item } }) {
      const { list, address } = item;
      if (list !== 'watch') return;
      inBackground(userId, async () => {
        if (op === 'saved') await watch(userId, { address });
        else matcher.unwatch(userId, address);
      });
    },
    onFirstPrice: (address, price, userIds) =>
      inBackground(address, () => watched.setFirstPrice(address, price, clock.now(), userIds)),
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
