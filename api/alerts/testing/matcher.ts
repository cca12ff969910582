import { defaultAlerts } from '../../../common/settings/model.ts';
import { MINUTE } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { fakeClock } from '../../market/testing/market.ts';
import { addressNumber } from '../../testing/tokens.ts';
import type { Match } from '../matching/match.ts';
import { createMatcher } from '../matching/matcher.ts';
import { withAlerts } from '../matching/subscribers.ts';
import { detectedToken } from './tokens.ts';

/** Sets up a matcher whose matches, users and tokens a test controls. */
export function setUpMatcher({ maxBaselines }: { maxBaselines?: number } = {}) {
  const clock = fakeClock();
  const found: Match[] = [];
  const firstPrices: [string, number, string[]][] = [];
  const tokens = new Map<number, Token>();
  const backlog = { hasRoom: true };
  const matcher = createMatcher({
    clock,
    found: (match) => {
      if (backlog.hasRoom) found.push(match);
      return backlog.hasRoom;
    },
    onFirstPrice: (...first) => void firstPrices.push(first),
    ...(maxBaselines === undefined ? {} : { maxBaselines }),
  });
  const emit = (number: number, token: Token, isNew: boolean) => {
    tokens.set(number, token);
    matcher.onTokensChanged({ at: clock.now(), changes: [{ token, isNew, isComplete: true }] });
  };
  return {
    clock,
    matcher,
    firstPrices,
    backlog,
    user: (id: string, alerts = {}, since = clock.now() - MINUTE) =>
      matcher.put({ id, alerts: { ...defaultAlerts, ...alerts }, since, priceSince: 0 }),
    change: (id: string, alerts: object) => {
      const before = matcher.subscriber(id);
      if (before) matcher.put(withAlerts(before, { ...defaultAlerts, ...alerts }, clock.now()));
    },
    watch: (id: string, number: number, price: number | null) =>
      matcher.watch(id, { address: addressNumber(number), price, since: 1 }),
    /** Returns the matches since the last call, as `type address user …`. */
    matches: () =>
      found.splice(0).map(({ type, address, userIds }) => [type, address, ...userIds.toSorted()].join(' ')),
    token: (number: number, fields = {}) => emit(number, detectedToken(number, clock.now(), fields), true),
    patch: (number: number, fields: object) =>
      emit(number, { ...(tokens.get(number) ?? detectedToken(number, 0)), ...fields }, false),
  };
}

/** A match of a new token, as `matches` returns it. */
export const alertOf = (number: number, ...users: string[]) => ['new_token', addressNumber(number), ...users].join(' ');
/** A match of a moved price, as `matches` returns it. */
export const moveOf = (number: number, ...users: string[]) =>
  ['price_alert', addressNumber(number), ...users].join(' ');
