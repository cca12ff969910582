import { NEW_TOKEN_ALERT_AGE } from '../../../common/alerts/model.ts';
import type { AlertSettings } from '../../../common/settings/model.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { Match, Subscriber } from './match.ts';

/** Young tokens in memory: several times the launches of an hour on Solana. The oldest are evicted first. */
const MAX_YOUNG = 50_000;
/** Points kept for a token. Without the oldest one, its subscribers match again and the unique index refuses them. */
const MAX_POINTS = 32;

/** Figures of a token that decide about an alert: risk in percent, liquidity in SOL. */
export interface Point {
  risk: number;
  liquidity: number;
}

interface YoungToken {
  /** Epoch ms. */
  detectedAt: number;
  /** The present figures; null while unknown. */
  current: Point | null;
  /** The best figures so far, none of them better than another in both respects: all subscribers they satisfy are matched. */
  matched: Point[];
}

interface YoungTokensDeps {
  subscribers(): Iterable<Subscriber>;
  /** Takes a match. Returns false when too many matches wait; the next change matches again. */
  found(match: Pick<Match, 'address' | 'token' | 'userIds' | 'isFromStart'>): boolean;
}

/** The tokens young enough for a new-token alert, and the figures up to which their subscribers are matched. */
export function createYoungTokens(deps: YoungTokensDeps) {
  /** Roughly in the order of detection. */
  const tokens = new Map<string, YoungToken>();

  return {
    size: () => tokens.size,
    has: (address: string) => tokens.has(address),
    /**
     * Matches a new or changed token at `now` (epoch ms). `alerted`: the token was stored before the start, and these users
     * were alerted about it.
     */
    update(token: Token, now: number, alerted?: ReadonlySet<string>): void {
      const { address } = token;
      if (!isYoung(token, now)) {
        tokens.delete(address);
        return;
      }
      const young = tokens.get(address) ?? { detectedAt: Date.parse(token.detectedAt), current: null, matched: [] };
      young.current = pointOf(token);
      match(young, token, alerted, deps);
      if (tokens.has(address)) return;
      tokens.set(address, young);
      evict(tokens, now);
    },
    /** Matches one subscriber, unknown until now, with the present figures of every token. */
    matchWith(subscriber: Subscriber): void {
      for (const [address, young] of tokens) {
        if (young.current === null || young.detectedAt <= subscriber.since) continue;
        if (satisfies(young.current, subscriber.alerts))
          deps.found({ address, token: null, userIds: [subscriber.id], isFromStart: false });
      }
    },
    remove: (address: string) => void tokens.delete(address),
    clear: () => tokens.clear(),
  };
}

/** Matches the subscribers that the present figures satisfy and none of the earlier ones did. */
function match(young: YoungToken, token: Token, alerted: ReadonlySet<string> | undefined, deps: YoungTokensDeps): void {
  const { current, matched, detectedAt } = young;
  // Checked first: most changes improve nothing, and no subscriber needs to be looked at.
  if (current === null || matched.some((earlier) => isAtLeast(earlier, current))) return;
  const userIds: string[] = [];
  for (const { id, alerts, since } of deps.subscribers()) {
    if (detectedAt <= since || !satisfies(current, alerts) || alerted?.has(id)) continue;
    if (!matched.some((earlier) => satisfies(earlier, alerts))) userIds.push(id);
  }
  if (userIds.length > 0) {
    // A copy, because the token is shared and the match may wait.
    const found = { address: token.address, token: { ...token }, userIds, isFromStart: alerted !== undefined };
    if (!deps.found(found)) return;
  }
  young.matched = [...matched.filter((earlier) => !isAtLeast(current, earlier)), current].slice(-MAX_POINTS);
}

/** Evicts tokens that are no longer young, and the oldest beyond the limit. */
function evict(tokens: Map<string, YoungToken>, now: number): void {
  for (const [address, { detectedAt }] of tokens) {
    if (tokens.size <= MAX_YOUNG && now - detectedAt < NEW_TOKEN_ALERT_AGE) return;
    tokens.delete(address);
  }
}

/** By its creation, or by its detection while the creation is unknown. `now`: epoch ms. */
export function isYoung({ createdAt, detectedAt }: Token, now: number): boolean {
  return now - Date.parse(createdAt ?? detectedAt) < NEW_TOKEN_ALERT_AGE;
}

/** Null while a figure or the creation is unknown: unknown is never safe or enough, and a token first seen in a trade may be of any age. */
function pointOf({ scamProbability: risk, currentLiquidity: liquidity, createdAt }: Token): Point | null {
  return risk === null || liquidity === null || createdAt === null ? null : { risk, liquidity };
}

function satisfies({ risk, liquidity }: Point, { newTokenAlerts, maxRisk, minLiquidity }: AlertSettings): boolean {
  return newTokenAlerts && risk < maxRisk && liquidity >= minLiquidity;
}

/** True when `one` satisfies every subscriber that `other` satisfies. */
function isAtLeast(one: Point, other: Point): boolean {
  return one.risk <= other.risk && one.liquidity >= other.liquidity;
}
