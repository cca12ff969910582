import type { Reason } from '../../../../common/trading/reasons.ts';
import type { Effect, LeftOut } from '../model.ts';
import { createPlans, type Plans } from './plans.ts';
import { createTokens, type StepAnswer, type Tokens, type TrackedToken } from './tokens.ts';
import { createUser, type UserState } from './users.ts';

/** Keys of orders in memory; beyond, the unique key in the database alone keeps a plan from a second order. */
const TRIED_MAX = 1_000_000;
/** Refused orders in memory. */
const REFUSALS_MAX = 10_000;

/** An order that was refused where it was to be stored. It is asked for again from `until` (epoch ms) on. */
export interface Refusal {
  planId: string;
  address: string;
  tries: number;
  until: number;
  /** Null in one of an earlier tape. */
  reason: Reason | null;
}

/** A plan whose time has come, and that is asked for the tokens known then over several steps. */
export interface BegunPlan {
  planId: string;
  /** It was asked for the tokens detected from then on, epoch ms; Infinity: for none. */
  before: number;
}

/** State of the core. */
export interface CoreState {
  readonly tokens: Tokens;
  readonly plans: Plans;
  readonly users: Map<string, UserState>;
  /** By source: since when it is not live, epoch ms; null: it is live. A source without an entry never was. */
  readonly sources: Map<string, number | null>;
  /** Keys of all orders (R2). */
  readonly tried: Set<string>;
  /** Users of orders that are not over, by the key of the order. */
  readonly ordering: Map<string, UserState>;
  readonly refusals: Map<string, Refusal>;
  /** Whether the plans of some tokens are to be asked without new figures. */
  hasToAdmit: boolean;
  /** Pairs that were asked in the present step. */
  asked: number;
  /** Plans that have begun, the next one first, and their pairs that were looked at in the present step. */
  readonly begun: BegunPlan[];
  askedBegun: number;
  /** Last answers of the present step, one a pair, and those beyond their limit, by plan. */
  readonly answers: StepAnswer[];
  /** Tokens whose refused pairs are reported again in the present step, with their figures. */
  readonly repeated: Set<TrackedToken>;
  readonly leftOut: Map<string, LeftOut>;
  /** Users with pairs that may wait for a moment. */
  readonly toSchedule: Set<UserState>;
  /** Plans changed: those for tokens detected from then on, epoch ms, are not in use yet; null: all are. */
  plansSince: number | null;
  isStoppedForAll: boolean;
  isDatabaseAway: boolean;
  /** The network's rent of a byte, lamports; null while it is not known. */
  rentPerByte: number | null;
  /** Time of the present step, epoch ms. */
  now: number;
  /** Time up to which everything is done that time alone completes, epoch ms. */
  clock: number;
  /** Effects of the present step. */
  effects: Effect[];
}

export function createState(): CoreState {
  return {
    tokens: createTokens(),
    plans: createPlans(),
    users: new Map(),
    sources: new Map(),
    tried: new Set(),
    ordering: new Map(),
    refusals: new Map(),
    hasToAdmit: false,
    asked: 0,
    begun: [],
    askedBegun: 0,
    answers: [],
    repeated: new Set(),
    leftOut: new Map(),
    toSchedule: new Set(),
    plansSince: null,
    isStoppedForAll: false,
    isDatabaseAway: false,
    rentPerByte: null,
    now: 0,
    clock: 0,
    effects: [],
  };
}

/** Returns a user, a new one when it is not known. */
export function userIn({ users }: CoreState, userId: string): UserState {
  const known = users.get(userId);
  if (known) return known;
  const user = createUser(userId);
  users.set(userId, user);
  return user;
}

/** Returns since when a source is not live, epoch ms; 0: it never was; null: it is live. */
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
