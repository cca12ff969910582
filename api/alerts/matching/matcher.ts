import { type AlertSettings, defaultAlerts } from '../../../common/settings/model.ts';
import type { AlertType } from '../../../common/templates/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { FeedEntry } from '../../../realtime/feed-log/feed-log.ts';
import { PriceReferences, type Reference } from './price-baselines.ts';
import { createThresholds } from './thresholds.ts';
import { type AlertUser, AlertUsers, sameAlerts } from './users.ts';
import { YoungTokens } from './young-tokens.ts';

/** Users that are to be alerted of a token. Who they are is settled by the database: see alerting.ts. */
export interface Match {
  type: AlertType;
  address: string;
  /** As it was then; null: older than what is kept in memory. */
  token: Token | null;
  /** SOL, at that moment; null while unknown. */
  price: number | null;
  userIds: string[];
}

interface MatcherDeps {
  clock: Clock;
  /** False: there is no room now; the next change of the token asks again. */
  found(match: Match): boolean;
  /** True: there is surely no room, so that nobody need be looked for. */
  isFull?(): boolean;
  /** These users watch the token, and this is the first price since. */
  settled(address: string, price: number, userIds: string[]): void;
  maxReferences?: number;
}

/**
 * Decides who is to be alerted, from the feed and in memory alone: thresholds are sorted, and each token remembers up to
 * where they were asked. It may find somebody twice, after a restart say; alerting.ts sees to it that nobody is alerted twice.
 */
export class Matcher {
  readonly #users = new AlertUsers();
  /** Of those who want alerts on new tokens. */
  readonly #thresholds = createThresholds();
  readonly #young: YoungTokens;
  /** What users watch, and what they were alerted of: they end at different times. */
  readonly #watched: PriceReferences;
  readonly #alerted: PriceReferences;
  readonly #deps: MatcherDeps;

  constructor(deps: MatcherDeps) {
    this.#deps = deps;
    const isFull = () => deps.isFull?.() ?? false;
    this.#young = new YoungTokens({
      isFull,
      users: this.#users,
      thresholds: this.#thresholds,
      found: (token, users) =>
        deps.found({
          type: 'new_token',
          address: token.address,
          token,
          price: token.price,
          userIds: this.#users.ids(users),
        }),
    });
    const max = deps.maxReferences === undefined ? {} : { max: deps.maxReferences };
    const moved = (address: string, price: number, references: readonly Reference[]) =>
      this.#moved(address, price, references);
    this.#alerted = new PriceReferences({ moved, isFull, ...max });
    this.#watched = new PriceReferences({
      moved,
      isFull,
      settled: (address, price, users) => deps.settled(address, price, this.#users.ids(users)),
      ...max,
    });
  }

  /** How much it keeps in mind. */
  get size(): { users: number; young: number; references: number } {
    return {
      users: this.#users.count,
      young: this.#young.size,
      references: this.#watched.count + this.#alerted.count,
    };
  }

  /** Takes up a user. One who was not known yet is asked about the tokens that came meanwhile. */
  put(user: AlertUser): void {
    const isKnown = this.#users.numberOf(user.id) !== undefined;
    const number = this.#put(user);
    if (!isKnown) this.#young.askOf(number);
  }

  knows(userId: string): boolean {
    return this.#users.numberOf(userId) !== undefined;
  }

  /** A user has set this now. True when that switches price alerts on: what the user watches counts from now on. */
  changed(userId: string, alerts: AlertSettings): boolean {
    const number = this.#users.numberOf(userId);
    const before = number === undefined ? undefined : this.#users.at(number);
    // Whoever is not known yet can only have had the defaults.
    if (before ? sameAlerts(before.alerts, alerts) : sameAlerts(defaultAlerts, alerts)) return false;
    const now = this.#deps.clock.now();
    const switchesOn = alerts.priceChangeAlerts && !(before?.alerts ?? defaultAlerts).priceChangeAlerts;
    this.#put({ id: userId, alerts, since: now, priceSince: switchesOn ? now : (before?.priceSince ?? 0) });
    return switchesOn;
  }

  entries(entries: readonly FeedEntry[]): void {
    for (const entry of entries) this.#entry(entry);
  }

  /** A token of before the start, and who was alerted of it. What the feed has told of it meanwhile is newer. */
  token(token: Token, alertedIds: readonly string[]): void {
    const alerted = alertedIds.flatMap((id) => this.#users.numberOf(id) ?? []);
    if (this.#young.get(token.address)) for (const user of alerted) this.#young.wasAlerted(token.address, user);
    else this.#young.add(token, this.#deps.clock.now(), alerted);
  }

  /** The user was alerted of this new token, and of later moves from this price on. */
  wasAlerted(userId: string, { address, price, at }: { address: string; price: number | null; at: number }): void {
    const user = this.#users.numberOf(userId);
    if (user === undefined) return;
    this.#young.wasAlerted(address, user);
    const settings = this.#users.at(user);
    if (price === null || !settings?.alerts.priceChangeAlerts || at <= settings.priceSince) return;
    this.#alerted.add(address, { user, price, since: at });
  }

  /** The user watches this token, from this price on; null: from the next one on. */
  watch(userId: string, { address, price, since }: { address: string; price: number | null; since: number }): void {
    const user = this.#users.numberOf(userId);
    if (user === undefined) return;
    const { priceSince = 0 } = this.#users.at(user) ?? {};
    this.#watched.remove(address, user);
    // What was noted before price alerts were switched on counts no more.
    const reference = since < priceSince ? { price: null, since: priceSince } : { price, since };
    this.#watched.add(address, { user, ...reference });
  }

  unwatch(userId: string, address: string): void {
    const user = this.#users.numberOf(userId);
    if (user !== undefined) this.#watched.remove(address, user);
  }

  #put(user: AlertUser): number {
    const number = this.#users.put(user);
    this.#thresholds.set(number, user.alerts.newTokenAlerts ? user.alerts : null);
    return number;
  }

  #entry(entry: FeedEntry): void {
    switch (entry.event) {
      case 'new-token': {
        const { token } = entry.payload;
        this.#young.add(token, this.#deps.clock.now());
        if (token.price !== null) this.#price(token.address, token.price);
        break;
      }
      case 'token-updates': {
        const { patches } = entry.payload;
        for (const patch of patches) {
          this.#young.patch(patch, entry.payload);
          if (patch.price !== undefined && patch.price !== null) this.#price(patch.address, patch.price);
        }
        break;
      }
      case 'tokens-removed':
        this.#forget(entry.payload);
        break;
      case 'runner':
      case 'might-run':
        // The token of these events has been told by the ones above.
        break;
    }
  }

  #price(address: string, price: number): void {
    this.#watched.price(address, price);
    this.#alerted.price(address, price);
  }

  #moved(address: string, price: number, references: readonly Reference[]): boolean {
    const users = new Set<number>();
    for (const { user, since } of references) {
      const settings = this.#users.at(user);
      if (settings?.alerts.priceChangeAlerts && since >= settings.priceSince) users.add(user);
    }
    if (users.size === 0) return true;
    const token = this.#young.get(address);
    return this.#deps.found({
      type: 'price_alert',
      address,
      token: token ? { ...token, price } : null,
      price,
      userIds: this.#users.ids([...users]),
    });
  }

  #forget(removed: { all: true } | { addresses: readonly string[] }): void {
    const parts = [this.#young, this.#watched, this.#alerted];
    if ('all' in removed) {
      for (const part of parts) part.clear();
      return;
    }
    for (const address of removed.addresses) {
      this.#young.remove(address);
      this.#watched.forget(address);
      this.#alerted.forget(address);
    }
  }
}
