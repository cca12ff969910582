import type { Conditions } from '../../../common/strategies/conditions.ts';
import type { TradedReserves } from '../../../common/tokens/curve-trades.ts';
import type { Stage } from '../../../common/tokens/model.ts';
import type { Exits, TradingLimits, TradingMode } from '../../../common/trading/account.ts';
import type { MoneyBook } from '../../../common/trading/limits/book.ts';
import type { Protections } from '../../../common/trading/protections.ts';
import type { Reason } from '../../../common/trading/reasons.ts';

/**
 * The core decides for plans (rules and strategies): `step(now, changes) → effects`. It has no clock, randomness, timers or promises,
 * so that the same changes give the same effects, in the server and in a replay. Times are epoch ms, ids hexadecimal; all of it is
 * plain JSON, since the tape records what the core receives.
 */

/** A token that was detected. Sent once, before any figures of it. */
export interface CoreToken {
  address: string;
  symbol: string | null;
  detectedAt: number;
  /** Whether its creation was observed, or was at most an hour before its detection (R1). */
  isNew: boolean;
  /** Source of its trades. */
  source: string;
  /** Where it was launched, which decides how its curve is computed; null when unknown. */
  launchpad: string | null;
}

/** Price and depth of a token from `at` on; one for each price within a tick, in the order of the merge. */
export interface CorePrice {
  address: string;
  at: number;
  /** SOL for one whole token; null when unknown. */
  price: number | null;
  /** SOL; null when unknown. */
  liquidity: number | null;
  reserves: TradedReserves | null;
  venue: 'curve' | 'pool';
  stage: Stage;
}

/** Facts of a token, once a tick when one of them changed. */
export interface CoreFacts {
  address: string;
  symbol: string | null;
  holders: number | null;
  /** Percent 0–100; null when unknown or too early. */
  risk: number | null;
  quote: string;
  decimals: number | null;
}

/** An active rule or strategy. An inactive one is removed. */
export interface CorePlan {
  id: string;
  userId: string;
  kind: 'rule' | 'strategy';
  name: string;
  conditions: Conditions;
  lamports: number;
  slippageBps: number;
  /** SOL; null: no limit. */
  minLiquidity: number | null;
  /** Percent 0–100; null: no limit. */
  maxRisk: number | null;
  buyUnknownRisk: boolean;
  /** Exits of the positions that it opens. */
  exits: Exits;
  /** Only tokens detected from then on are considered (R1). */
  activeSince: number;
}

/** Money and switches of a user with active plans, in the mode in force. */
export interface CoreAccount {
  userId: string;
  /** Null while trading is off. */
  mode: TradingMode | null;
  /** Whether the user may use the product. */
  isUserActive: boolean;
  /** Null: no wallet is set. */
  wallet: { address: string; hasKey: boolean } | null;
  isStopped: boolean;
  limits: TradingLimits;
  protections: Protections;
  book: MoneyBook;
  /** Play money on paper; on a chain null, where the order checks the balance. */
  moneyLamports: number | null;
  unknownOrders: number;
}

/**
 * Progress of an order that the core asked for. `refused`: not made, because of `reason`; it may be asked for again. `held`: its money
 * is reserved in the account from now on. `over`: nothing further comes of it.
 */
export interface CoreOrder {
  key: string;
  state: 'refused' | 'stored' | 'held' | 'over';
  hasBought: boolean;
  /** Why it was refused or ended without a trade. */
  reason: Reason | null;
}

/** Everything that the core learns, in the order in which it learned it. */
export type Change =
  | { type: 'token'; token: CoreToken }
  | { type: 'price'; price: CorePrice }
  | { type: 'facts'; facts: CoreFacts }
  /** Removed, or out of memory: not considered any more. */
  | { type: 'gone'; address: string }
  | { type: 'source'; source: string; isLive: boolean }
  | { type: 'plan'; plan: CorePlan }
  | { type: 'plan-removed'; planId: string }
  | { type: 'account'; account: CoreAccount }
  /** The user has no active plan left. */
  | { type: 'account-removed'; userId: string }
  | { type: 'list'; userId: string; address: string; listed: 'white' | 'black' | null }
  | { type: 'order'; order: CoreOrder }
  /** Orders of plans made before: R2 holds for ever. */
  | { type: 'tried'; keys: string[] }
  | { type: 'stop-all'; isStopped: boolean }
  | { type: 'database'; isAway: boolean };

/** A purchase that a plan makes. */
export interface Buy {
  /** `buy:<plan>:<address>`, one order for ever (R2). */
  key: string;
  planId: string;
  userId: string;
  address: string;
  lamports: number;
  slippageBps: number;
  /** Time of the figures that completed the conditions. */
  observedAt: number;
  decidedAt: number;
}

/** The present answer of a plan to a token, when it differs from the last one. */
export interface Decided {
  planId: string;
  userId: string;
  address: string;
  symbol: string | null;
  /** Null: bought, or about to be. */
  reason: Reason | null;
  at: number;
  /** Whether the plan's conditions were met for it, now or before. */
  wasMet: boolean;
  /** Whether the windows of its conditions began before a restart. */
  isResumed: boolean;
  /** Whether this answer can't change any more. */
  isFinal: boolean;
}

/** What the core asks for. Effects are to be carried out in their order. */
export type Effect = { type: 'buy'; buy: Buy } | { type: 'decided'; decided: Decided };

/** Returns the key of a plan's order for a token (R2). */
export function buyKey(planId: string, address: string): string {
  return `buy:${planId}:${address}`;
}

/** The core. `now` never goes back. */
export interface Core {
  /** Takes the changes of one tick, and returns what follows from them. Also called without changes, for what time alone completes. */
  step(now: number, changes: readonly Change[]): Effect[];
  /** Returns the present reason of a plan for a token; null when it has bought it. `not-new` also for tokens that it does not consider. */
  explain(planId: string, address: string, now: number): Reason | null;
  /** Returns changes that build the same state in a new core: what an hour of tape begins with. */
  snapshot(): Change[];
  readonly size: { tokens: number; plans: number; candidates: number };
}
