import { MINUTE } from '../../../../common/time.ts';
import { type Reason, type ReasonCode, reasonCodes } from '../../../../common/trading/reasons.ts';
import { type CompiledConditions, compile, createFigures, type TokenFigures } from './conditions.ts';
import type { CoreAccount, CoreFacts, CorePlan, CorePrice, CoreToken, Effect, PendingBuy } from './model.ts';

/** Tokens in memory. */
const TOKENS_MAX = 20_000;
/** Keys of orders in memory; beyond, the unique key in the database alone keeps a plan from a second order. */
const TRIED_MAX = 1_000_000;
/** Refused orders in memory. */
const REFUSALS_MAX = 10_000;
/** Windows up to this length are kept without a plan that asks for them, for plans to come, ms. */
const KEPT_MS = 10 * MINUTE;

/**
 * Last answer of a plan to a token: the guard that refused it, `waiting` when its conditions are no longer met, or how far its
 * order is. Missing while the conditions were never met.
 */
export type PairState = ReasonCode | 'ordered' | 'bought' | 'tried';

/** The present answer of a plan to a token. */
export interface Noted {
  /** Answer before the step; undefined: the first one. */
  before: PairState | undefined;
  /** Null: bought, or about to be. */
  reason: Reason | null;
  at: number;
  wasMet: boolean;
  isFinal: boolean;
}

/** The last answer of a step to a pair. */
export interface StepAnswer extends Noted {
  active: ActivePlan;
  token: TrackedToken;
}

/** A plan with its compiled conditions. */
export interface ActivePlan extends CompiledConditions {
  readonly plan: CorePlan;
  readonly user: UserState;
}

/** A token that plans may consider. */
export class TrackedToken {
  readonly address: string;
  readonly detectedAt: number;
  readonly launchpad: string | null;
  figures: TokenFigures;
  symbol: string | null;
  source: string;
  /** Time of the newest figures, epoch ms. */
  lastAt: number;
  price: CorePrice | null = null;
  facts: CoreFacts | null = null;
  /** When its windows were filled from stored points, epoch ms; null: never. */
  resumedAt: number | null = null;
  isGone = false;
  /** Whether all its plans are to be asked without new figures. */
  mustJudge = true;
  /** Refused pairs are reported again with the first figures from then on, epoch ms. */
  repeatAt = 0;
  /** Whether they are reported again in the present step. */
  isRepeated = false;
  /** Answers of plans by their id. */
  readonly pairs = new Map<string, PairState>();
  /** Answers of the present step by plan; null without one. */
  answers: Map<string, StepAnswer> | null = null;

  constructor({ address, symbol, detectedAt, launchpad, source }: CoreToken) {
    this.address = address;
    this.symbol = symbol;
    this.launchpad = launchpad;
    this.detectedAt = detectedAt;
    this.source = source;
    this.lastAt = detectedAt;
    this.figures = createFigures(detectedAt);
  }
}

/** Whether the account refuses every purchase, even the smallest. */
export interface Block {
  /** Tokens that have a place already, so that more of them needs none. */
  held: ReadonlySet<string>;
  isHeldRefused: boolean;
  isOtherRefused: boolean;
}

/** A user with active plans or open orders of plans. */
export interface UserState {
  readonly id: string;
  /** Null: not received. */
  account: CoreAccount | null;
  lists: ReadonlyMap<string, 'white' | 'black'>;
  /** Purchases whose order is not over, by key. */
  readonly pending: Map<string, PendingBuy>;
  /** Null: an input has changed since it was found. */
  block: Block | null;
  /** Whether pairs that the account refused are to be asked again at the end of the step. */
  mustRelease: boolean;
  /** Tokens with such pairs, perhaps also others. */
  readonly waiting: Set<TrackedToken>;
}

/** Plans that are to be asked for some tokens, the newest last. Many tokens take several steps. */
export interface Round {
  plans: readonly ActivePlan[];
  tokens: TrackedToken[];
}

/** An order that was refused where it was to be stored. It is asked for again from `until` (epoch ms) on. */
export interface Refusal {
  planId: string;
  address: string;
  tries: number;
  until: number;
  reason: Reason;
}

/** State of the core. */
export interface CoreState {
  /** In the order of their detection. */
  readonly tokens: TrackedToken[];
  readonly byAddress: Map<string, TrackedToken>;
  readonly plans: Plans;
  readonly users: Map<string, UserState>;
  /** When a source ceased to be live, epoch ms; null: it is live. A source without an entry never was. */
  readonly sources: Map<string, number | null>;
  /** Keys of all orders (R2). */
  readonly tried: Set<string>;
  /** Users of orders that are not over, by the key of the order. */
  readonly ordering: Map<string, UserState>;
  readonly refusals: Map<string, Refusal>;
  /** Refused pairs. */
  refused: number;
  /** Whether some tokens must be judged without new figures. */
  mustJudge: boolean;
  /** Ids of the plans whose pairs must be asked again, as the plan or the place to trade has changed in this step. */
  readonly changed: Set<string>;
  /** Time up to which time conditions were swept, epoch ms. */
  sweptAt: number;
  /** Rounds of plans that time has begun, and of plans that have changed. */
  begunRounds: Round[];
  changedRounds: Round[];
  /** Work of the present step without new figures; see `isBusy`. */
  work: number;
  /** Last answers of the present step, one a pair. */
  answers: StepAnswer[];
  repeated: TrackedToken[];
  isStoppedForAll: boolean;
  isDatabaseAway: boolean;
  /** The network's rent of a byte, lamports; null while it is not known. */
  rentPerByte: number | null;
  /** Time of the present step, epoch ms. */
  now: number;
  /** Effects of the present step. */
  effects: Effect[];
}

export function createState(): CoreState {
  return {
    ...{ tokens: [], byAddress: new Map(), plans: createPlans(), users: new Map(), sources: new Map() },
    ...{ tried: new Set(), ordering: new Map(), refusals: new Map(), refused: 0 },
    ...{ mustJudge: false, changed: new Set(), sweptAt: 0, begunRounds: [], changedRounds: [] },
    ...{ work: 0, answers: [], repeated: [] },
    ...{ isStoppedForAll: false, isDatabaseAway: false, rentPerByte: null, now: 0, effects: [] },
  };
}

/** Active plans. */
export interface Plans {
  readonly size: number;
  get(planId: string): ActivePlan | undefined;
  put(plan: CorePlan, user: UserState): void;
  remove(planId: string): void;
  /** Returns all plans; the one that was switched on first is asked first. */
  inOrder(): readonly ActivePlan[];
  ofUser(userId: string): readonly ActivePlan[];
  /** Returns the plans with conditions that time alone can complete. */
  timed(): readonly ActivePlan[];
  /** Returns the longest window that any plan asks for, ms. */
  longestWindow(): number;
}

function createPlans(): Plans {
  const byId = new Map<string, ActivePlan>();
  let arranged: ReturnType<typeof arrange> | null = null;
  const present = () => {
    arranged ??= arrange([...byId.values()]);
    return arranged;
  };
  return {
    get size() {
      return byId.size;
    },
    get: (planId) => byId.get(planId),
    put(plan, user) {
      byId.set(plan.id, { plan, user, ...compile(plan.conditions) });
      arranged = null;
    },
    remove(planId) {
      if (byId.delete(planId)) arranged = null;
    },
    inOrder: () => present().inOrder,
    ofUser: (userId) => present().byUser.get(userId) ?? [],
    timed: () => present().timed,
    longestWindow: () => present().longestWindow,
  };
}

function arrange(plans: ActivePlan[]) {
  const inOrder = plans.sort((a, b) => a.plan.activeSince - b.plan.activeSince || (a.plan.id < b.plan.id ? -1 : 1));
  const byUser = new Map<string, ActivePlan[]>();
  for (const active of inOrder) {
    const own = byUser.get(active.plan.userId);
    if (own) own.push(active);
    else byUser.set(active.plan.userId, [active]);
  }
  return {
    inOrder,
    byUser,
    timed: inOrder.filter(({ time }) => time !== null && (time.delay > 0 || time.from > Number.NEGATIVE_INFINITY)),
    longestWindow: inOrder.reduce((most, { window }) => Math.max(most, window), KEPT_MS),
  };
}

/** Returns whether a plan considers a token (R1). Tokens that were not new are not even in memory. */
export function considers({ plan }: ActivePlan, { detectedAt }: { detectedAt: number }): boolean {
  return detectedAt >= plan.activeSince;
}

/** Returns the index of the first token detected at or after `at` (epoch ms). */
export function firstSince({ tokens }: CoreState, at: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle]?.detectedAt ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds a token. Beyond the limit the oldest one without an open order is dropped. */
export function addToken(state: CoreState, detected: CoreToken): TrackedToken {
  const { tokens, byAddress } = state;
  const token = new TrackedToken(detected);
  byAddress.set(token.address, token);
  // After those of the same time.
  tokens.splice(firstSince(state, token.detectedAt + 1), 0, token);
  if (tokens.length > TOKENS_MAX) {
    const oldest = tokens.find(({ pairs }) => ![...pairs.values()].includes('ordered')) ?? tokens[0];
    if (oldest) removeToken(state, oldest.address);
  }
  return token;
}

export function removeToken(state: CoreState, address: string): void {
  const { tokens, byAddress } = state;
  const token = byAddress.get(address);
  if (!token) return;
  for (const user of state.users.values()) user.waiting.delete(token);
  for (const planId of [...token.pairs.keys()]) setPair(state, token, planId, undefined);
  token.isGone = true;
  byAddress.delete(address);
  tokens.splice(tokens.indexOf(token, firstSince(state, token.detectedAt)), 1);
}

/** Returns a user, a new one when it is not known. */
export function userIn({ users }: CoreState, userId: string): UserState {
  const known = users.get(userId);
  if (known) return known;
  const user: UserState = {
    ...{ id: userId, account: null, lists: new Map(), pending: new Map() },
    ...{ block: null, mustRelease: false, waiting: new Set() },
  };
  users.set(userId, user);
  return user;
}

/** Forgets a user without account, plans and open orders. */
export function dropUnused({ users, plans }: CoreState, { id, account, pending }: UserState): void {
  if (account === null && pending.size === 0 && plans.ofUser(id).length === 0) users.delete(id);
}

/** Remembers that an input of the guards of a user has changed. */
export function touch(user: UserState): void {
  user.block = null;
  user.mustRelease = true;
}

/** Returns when a source ceased to be live, epoch ms; 0: it never was; null: it is live. */
export function deadSince({ sources }: CoreState, source: string): number | null {
  const since = sources.get(source);
  return since === undefined ? 0 : since;
}

/** Adds the key of an order. The oldest key is dropped beyond the limit. */
export function addTried({ tried }: CoreState, key: string): void {
  tried.add(key);
  if (tried.size > TRIED_MAX) dropOldest(tried);
}

export function addRefusal({ refusals }: CoreState, key: string, refusal: Refusal): void {
  refusals.delete(key);
  refusals.set(key, refusal);
  if (refusals.size > REFUSALS_MAX) dropOldest(refusals);
}

function dropOldest(kept: { keys(): Iterator<string, undefined>; delete(key: string): boolean }): void {
  const first = kept.keys().next();
  if (!first.done) kept.delete(first.value);
}

/** Sets the answer of a plan to a token; undefined: none. */
export function setPair(state: CoreState, token: TrackedToken, planId: string, pair: PairState | undefined): void {
  const before = token.pairs.get(planId);
  if (before === pair) return;
  if (pair === undefined) token.pairs.delete(planId);
  else token.pairs.set(planId, pair);
  state.refused += Number(isRefused(pair)) - Number(isRefused(before));
}

/** Reasons that a change of the token's figures, facts or source can end. Others wait for a change of the user's account. */
const byToken: ReadonlySet<PairState | undefined> = new Set<ReasonCode>([
  ...(['low-liquidity', 'high-risk', 'unknown-liquidity', 'unknown-risk', 'stale', 'not-sol'] as const),
  ...(['between-venues', 'in-pool', 'no-depth', 'impact', 'too-small'] as const),
]);

/** Reasons of the account's money and limits, which orders of the same user end and bring back. */
export const byMoney: ReadonlySet<PairState | undefined> = new Set<ReasonCode>([
  ...(['per-trade', 'day-budget', 'open-positions', 'day-loss', 'stop-loss-guard', 'cooldown'] as const),
  ...(['balance', 'unknown-orders'] as const),
]);

type Kind = 'done' | 'final' | 'waiting' | 'token' | 'user';

/** What a pair waits for, by its state: one lookup, since each new figure of a token looks at hundreds of pairs. */
const kinds: ReadonlyMap<PairState | undefined, Kind> = new Map<PairState, Kind>([
  ...reasonCodes.map((code) => [code, byToken.has(code) ? 'token' : 'user'] as const),
  ...(['ordered', 'bought', 'tried'] as const).map((done) => [done, 'done'] as const),
  ['waiting', 'waiting'],
  ['too-late', 'final'],
]);

/**
 * Returns what a pair waits for: nothing, as it has had its order (R2) or nothing ends its reason; its conditions; the token's figures,
 * facts or source; or the user's account. Undefined while its conditions were never met.
 */
export function kindOf(pair: PairState | undefined): Kind | undefined {
  return kinds.get(pair);
}

/** Returns whether a guard refuses the pair, and may let it pass later. */
export function isRefused(pair: PairState | undefined): boolean {
  const kind = kindOf(pair);
  return kind === 'token' || kind === 'user';
}

/** Returns the reason that was reported for a pair last; null for none, or an order. */
export function reasonIn(pair: PairState | undefined): ReasonCode | null {
  return pair === undefined || pair === 'ordered' || pair === 'bought' || pair === 'tried' ? null : pair;
}
