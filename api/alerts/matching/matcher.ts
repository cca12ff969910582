import type { Clock } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { DomainEvents } from '../../events/events.ts';
import type { Match, Subscriber } from './match.ts';
import { type Baseline, createPriceBaselines } from './price-baselines.ts';
import { createYoungTokens } from './young-tokens.ts';

interface MatcherDeps {
  clock: Clock;
  /** Takes a match. Returns false when too many wait; the next change of the token matches again. */
  found(match: Match): boolean;
  /** These users watch the token, and this is its first known price since. */
  onFirstPrice(address: string, price: number, userIds: string[]): void;
  maxBaselines?: number;
}

/** A price of a token at a time: SOL, null while unknown; epoch ms. */
export interface WatchedPrice {
  address: string;
  price: number | null;
  since: number;
}

export type Matcher = ReturnType<typeof createMatcher>;

/**
 * Decides in memory which users a token's change concerns: an indexed query for every change took 56 % of a core where this
 * takes 2 to 3 % (`npm run bench:alerts`). It may match a user twice, for example after a restart; a unique index on the alerts
 * keeps every alert single.
 */
export function createMatcher(deps: MatcherDeps) {
  const { clock } = deps;
  const subscribers = new Map<string, Subscriber>();
  const young = createYoungTokens({
    subscribers: () => subscribers.values(),
    found: (match) => deps.found({ ...match, type: 'new_token', isWatched: false }),
  });
  const baselines = createPriceBaselines({
    onMoved(token, moved) {
      const { watching, others } = wantedBy(moved, subscribers);
      const offer = (userIds: string[], isWatched: boolean) =>
        userIds.length === 0 ||
        deps.found({
          ...{ type: 'price_alert', address: token.address, token: { ...token }, userIds },
          ...{ isWatched, isFromStart: false },
        });
      return offer(watching, true) && offer(others, false);
    },
    onFirstPrice: deps.onFirstPrice,
    ...(deps.maxBaselines === undefined ? {} : { max: deps.maxBaselines }),
  });

  return {
    size: () => ({ subscribers: subscribers.size, young: young.size(), baselines: baselines.count() }),
    subscriber: (userId: string) => subscribers.get(userId),
    /** Adds or replaces a subscriber. A new one is matched with the tokens detected in the meantime. */
    put(subscriber: Subscriber): void {
      const isNew = !subscribers.has(subscriber.id);
      subscribers.set(subscriber.id, subscriber);
      if (isNew) young.matchWith(subscriber);
    },
    onTokensChanged({ at, changes }: DomainEvents['token-changed']): void {
      for (const { token } of changes) {
        young.update(token, at);
        baselines.update(token);
      }
    },
    onTokensRemoved(removed: DomainEvents['token-removed']): void {
      if ('all' in removed) {
        young.clear();
        baselines.clear();
        return;
      }
      for (const address of removed.addresses) {
        young.remove(address);
        baselines.remove(address);
      }
    },
    /** Adds a stored token, with the users alerted about it before the start. Ignored when an event brought it earlier. */
    addStored(token: Token, alerted: ReadonlySet<string>): void {
      if (!young.has(token.address)) young.update(token, clock.now(), alerted);
    },
    /** The user was alerted about this new token: later moves count from this price. */
    alerted(userId: string, { address, price, since }: WatchedPrice): void {
      const subscriber = subscribers.get(userId);
      if (price === null || !subscriber?.alerts.priceChangeAlerts || since <= subscriber.priceSince) return;
      baselines.add(address, { userId, origin: 'alert', price, since });
    },
    /** The user watches this token, from this price on; null: from the next known price on. */
    watch(userId: string, { address, price, since }: WatchedPrice): void {
      const subscriber = subscribers.get(userId);
      if (!subscriber) return;
      const { priceSince } = subscriber;
      // A price noted before price alerts were switched on no longer counts.
      const from = since < priceSince ? { price: null, since: priceSince } : { price, since };
      baselines.unwatch(address, userId);
      baselines.add(address, { userId, origin: 'watchlist', ...from });
    },
    unwatch: (userId: string, address: string) => baselines.unwatch(address, userId),
  };
}

/** Returns the users, once each, who have price alerts on since before their baseline. `watching`: by their watchlist. */
function wantedBy(moved: readonly Baseline[], subscribers: ReadonlyMap<string, Subscriber>) {
  const watching = new Set<string>();
  const others = new Set<string>();
  for (const { userId, origin, since } of moved) {
    const subscriber = subscribers.get(userId);
    if (!subscriber?.alerts.priceChangeAlerts || since < subscriber.priceSince) continue;
    (origin === 'watchlist' ? watching : others).add(userId);
  }
  return { watching: [...watching], others: [...others].filter((id) => !watching.has(id)) };
}
