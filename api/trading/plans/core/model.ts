import type { Waits } from '../../../../common/decisions/model.ts';
import type { Conditions } from '../../../../common/strategies/conditions.ts';
import type { StoredPoint, TokenHistory } from '../../../../common/strategies/history.ts';
import type { TradedReserves } from '../../../../common/tokens/curve-trades.ts';
import type { Stage } from '../../../../common/tokens/model.ts';
import type { Exits, TradingLimits, TradingMode } from '../../../../common/trading/account.ts';
import type { MoneyBook } from '../../../../common/trading/limits/book.ts';
import type { Protections } from '../../../../common/trading/limits/protections.ts';
import type { Reason, ReasonCode } from '../../../../common/trading/reasons.ts';
import type { TokenFigures } from './conditions.ts';

/**
 * The core decides for plans (rules and strategies): `step(now, changes) → effects`. It has no clock, randomness, timers or promises,
 * so that the same changes give the same effects, in the server and in a replay. Times are epoch ms, ids hexadecimal; all of it is
 * plain JSON, since the tape records what the core receives.
 */

/** A token that was detected. Sent before any figures of it; once more with the same address, it only changes its source. */
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

/** When a token was detected, and whether it was new then (R1). */
export type Detection = Pick<CoreToken, 'detectedAt' | 'isNew'>;

/** Price and depth of a token from `at` on; one for each price within a tick, in the order of the merge. */
export interface CorePrice {
  address: string;
  at: number;
  /** SOL for one whole token; null when unknown. */
  price: number | null;
  /** SOL; null when unknown. */
  liquidity: number | null;
  /** Null when unknown, or when the formulas of the launchpad are. */
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
  /** Buys a token only within so many seconds of its detection; null: no limit. */
  buyWithinSeconds: number | null;
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
  /** Whether orders in this mode can trade in pools. */
  tradesPools: boolean;
  isStopped: boolean;
  limits: TradingLimits;
  protections: Protections;
  book: MoneyBook;
  /** Play money on paper, the SOL in the wallet on a chain; null while that is unknown. */
  moneyLamports: number | null;
  unknownOrders: number;
}

/**
 * Progress of an order that the core asked for. `refused`: not made, because of `reason`; the core asks again later. `stored`: it
 * exists for good. `held`: the account as received before reserves its money. `over`: nothing further comes of it.
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
  /** Stored points after a restart, oldest first. They fill the windows of a token; nothing is decided by them alone. */
  | { type: 'history'; address: string; points: StoredPoint[] }
  /** Removed, or out of memory: not considered any more. */
  | { type: 'gone'; address: string }
  | { type: 'source'; source: string; isLive: boolean }
  | { type: 'plan'; plan: CorePlan }
  | { type: 'plan-removed'; planId: string }
  | { type: 'account'; account: CoreAccount }
  /** The user has no active plan left. */
  | { type: 'account-removed'; userId: string }
  /** All listed tokens of a user. */
  | { type: 'lists'; userId: string; white: string[]; black: string[] }
  | { type: 'order'; order: CoreOrder }
  /** Orders of plans made before: R2 holds for ever. */
  | { type: 'tried'; keys: string[] }
  | { type: 'stop-all'; isStopped: boolean }
  | { type: 'database'; isAway: boolean }
  /** The network's rent of a byte of an account, lamports. */
  | { type: 'rent'; perByte: number }
  /** Part of a snapshot. */
  | { type: 'kept'; kept: Kept };

/** A purchase whose order is not over. `totalLamports`: most that it takes from the wallet. */
export interface PendingBuy {
  buy: Buy;
  totalLamports: number;
  /** Whether the account reserves its money. */
  isHeld: boolean;
}

/** State of the core that no other change gives. */
export type Kept =
  /** When a source ceased to be live, epoch ms; null: it is live. */
  | { of: 'source'; source: string; deadSince: number | null }
  | {
      of: 'token';
      address: string;
      lastAt: number;
      resumedAt: number | null;
      price: CorePrice | null;
      facts: CoreFacts | null;
      figures: TokenFigures;
      /** Refused pairs are reported again with the first figures from then on, epoch ms. */
      repeatAt: number;
    };

/** A purchase that a plan makes. */
export interface Buy {
  /** `buy:<plan>:<address>`, one order for ever (R2). */
  key: string;
  planId: string;
  userId: string;
  address: string;
  lamports: number;
  slippageBps: number;
  /** `activeSince` of the plan at the decision. */
  planSince: number;
  /** Time of the figures that completed the conditions. */
  observedAt: number;
  decidedAt: number;
}

/**
 * The present answer of a plan to a token, when it differs from the last one. A token that is refused on for the same reason is
 * reported again with its figures, the less often the older it is.
 */
export interface Decided {
  planId: string;
  plan: Pick<CorePlan, 'kind' | 'name'>;
  userId: string;
  address: string;
  symbol: string | null;
  /** Null: bought, or about to be. */
  reason: Reason | null;
  /** How far it is with each condition, when they are no longer met; null otherwise. `needsAll`: whether all must be met, not any. */
  waits: Waits | null;
  /** Reason of the answer before; null: it is the first one, or an order was on its way. */
  before: ReasonCode | null;
  isFirst: boolean;
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
  /**
   * Returns the present reason of a plan for a token; null when it has bought it. `detection`: as stored, for a token
   * that is not in memory, so that it is `not-new` or `not-followed`; null is unknown.
   */
  explain(planId: string, address: string, now: number, detection?: Detection | null): Reason | null;
  /**
   * Returns the figures of a token as a plan sees them, shortened to what its conditions ask for: `conditionsMet` gives the same
   * outcome as on the whole history. Null for a plan or token that is not known.
   */
  history(planId: string, address: string, now: number): TokenHistory | null;
  /** Returns the purchases whose orders are not over. */
  pending(): Buy[];
  /** Returns changes that build the tokens with their figures and windows in a new core: what an hour of tape begins with. */
  snapshot(): Change[];
  readonly size: { tokens: number; plans: number; candidates: number };
}

/** Receives what the core of plans receives, for the tape. */
export interface TapeSink {
  /**
   * Records one step of the core: its time (epoch ms) and its changes, which must not be modified afterwards. Called right before
   * the step, also for one without changes. Never throws and does not wait.
   */
  record(now: number, changes: readonly Change[]): void;
}

/** Receives every answer of the core, in their order. Does not wait for anything. */
export interface DecisionSink {
  note(decided: Decided): void;
}
