import { isDeepStrictEqual } from 'node:util';
import { Types } from 'mongoose';
import type { DecisionOutcome, Waits } from '../../../common/decisions/model.ts';
import { type Reason, reasonCodes } from '../../../common/trading/reasons.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import { nextRepeat } from '../core/judge/answers.ts';
import type { Decided, LeftOut } from '../core/model.ts';
import { isOfMoney } from '../core/state/pairs.ts';
import { createOpenPairs, type KnownAnswer } from './open-pairs.ts';
import { type Counts, createHourlyQuota, createPendingCounts } from './pending-counts.ts';
import type { PlanNameRecord } from './record.ts';

/** Answers that wait for the database: of one plan, and in all. Beyond, they are only counted. */
export const PENDING_OF_PLAN_MAX = 2_000;
const PENDING_MAX = 20_000;
/** Plans whose last token is remembered. */
const PLANS_MAX = 10_000;

/** Progress of a plan's order. Ids are hexadecimal; `at`: epoch ms. */
export interface OrderAnswer {
  userId: string;
  planId: string;
  plan: PlanNameRecord;
  address: string;
  symbol: string | null;
  orderId: string;
  outcome: DecisionOutcome;
  reason: Reason | null;
  at: number;
}

/** An answer that is to be stored. */
export interface Answer extends Omit<OrderAnswer, 'plan' | 'orderId'> {
  /** Null: to be read. */
  plan: PlanNameRecord | null;
  /** Null: none so far. */
  orderId: string | null;
  /** What its conditions waited for; null: they were met. */
  waits: Waits | null;
  firstAt: number;
  /** 1 when the answer has changed since the last write: a reason that lasted no longer is none. */
  count: number;
  /** Whether only its figures are new. */
  isRepeat: boolean;
  isResumed: boolean;
}

/** Everything noted since the last batch. */
export interface Batch {
  /** Hexadecimal. */
  id: string;
  answers: Answer[];
  counts: Counts[];
  /** Newest answer of each plan, also one that is not among `answers`. */
  last: Answer[];
}

/** Collects answers until they are stored. Bounded: beyond its limits answers are counted without their details. */
export interface DecisionBuffer {
  note(decided: Decided): void;
  /** Counts answers that come without details. */
  leaveOut(leftOut: LeftOut): void;
  /** An order is always stored: there are few of them. */
  noteOrder(order: OrderAnswer): void;
  /** Returns everything noted, and forgets it. */
  take(): Batch;
}

export function createDecisionBuffer(): DecisionBuffer {
  const pairs = createOpenPairs();
  const counts = createPendingCounts();
  const admitsNew = createHourlyQuota();
  const answers = createPendingAnswers();
  let last = new Map<string, Answer>();
  const early = createEarlyLimits();
  /** Token of each plan's last answer. */
  const lastTokens = createGrowingCache<string>(PLANS_MAX);

  /** Counts the token of an answer under its reason, in place of the one before, in the hour of its first answer. */
  function count({ planId, userId, reason, before, isFirst, at }: Decided, known: KnownAnswer | undefined): Counts {
    const counted = counts.of({ planId, userId, at: known?.firstAt ?? at });
    const { lost } = counted;
    const earlier = known ? known.reason?.code : before;
    if (isFirst && known === undefined) counted.considered += 1;
    if (earlier) lost[earlier] = (lost[earlier] ?? 0) - 1;
    if (reason) lost[reason.code] = (lost[reason.code] ?? 0) + 1;
    return counted;
  }

  /** Keeps an answer until it is stored. Returns how its pair stands then; null: it is only counted. */
  function keep(answer: Answer, known: KnownAnswer | undefined): KnownAnswer['outcome'] | null {
    const { outcome, isRepeat } = answer;
    const isCounted = known?.outcome === 'counted';
    // There is no entry whose figures it replaces.
    if (isRepeat && isCounted) return 'counted';
    const isBounded = outcome === 'not-bought';
    if (isBounded && !isRepeat && (known === undefined || isCounted) && !admitsNew(answer)) return null;
    return answers.put(answer, isBounded) ? outcome : null;
  }

  function note(decided: Decided): void {
    const known = pairs.get(decided.planId, decided.address);
    early.forget(decided);
    if (!known || !isNothingNew(decided, known)) add(decided, known);
    else if (decided.reason?.code !== known.reason?.code) early.hold(decided, known);
  }

  function add(decided: Decided, known: KnownAnswer | undefined): void {
    const { planId, userId, address, symbol, reason, waits, at, isResumed, isFinal } = decided;
    const outcome = outcomeOf(decided, known);
    const isRepeat = isSameReason(decided, known);
    const answer = { planId, userId, address, symbol, outcome, reason, waits, at, isRepeat, isResumed };
    const full: Answer = { ...answer, firstAt: at, count: isRepeat ? 0 : 1, plan: null, orderId: null };
    if (!isRepeat) lastTokens.set(planId, address);
    if (lastTokens.get(planId) === address) last.set(planId, full);
    const counted = count(decided, known);
    const kept = keep(full, known);
    if (kept === null) counted.dropped += 1;
    const present = { outcome: kept ?? known?.outcome ?? 'counted', reason, firstAt: known?.firstAt ?? at, at };
    if (isFinal && kept !== null) pairs.remove(planId, address);
    else if (known || !isRepeat) pairs.set(planId, address, present);
  }

  return {
    note,
    leaveOut: (leftOut) => addLeftOut(counts.of(leftOut), leftOut),
    noteOrder(order) {
      const { planId, address, outcome, at } = order;
      early.forget(order);
      const answer: Answer = { ...order, waits: null, firstAt: at, count: 0, isRepeat: false, isResumed: false };
      pairs.set(planId, address, { reason: null, firstAt: at, at, ...pairs.get(planId, address), outcome });
      lastTokens.set(planId, address);
      last.set(planId, answer);
      answers.put(answer, false);
    },
    take() {
      for (const { decided, known } of early.takeDue()) add(decided, known);
      const id = new Types.ObjectId().toHexString();
      const batch = { id, answers: answers.take(), counts: counts.take(), last: [...last.values()] };
      last = new Map();
      return batch;
    },
  };
}

function addLeftOut(counted: Counts, { tokens: considered, answers, reasons }: LeftOut): void {
  counted.considered += considered;
  counted.dropped += answers;
  for (const code of reasonCodes) {
    const { [code]: tokens = 0 } = reasons;
    if (tokens > 0) counted.lost[code] = (counted.lost[code] ?? 0) + tokens;
  }
}

/** Limits of the account that wait for their time; further ones are not kept. */
const EARLY_MAX = 10_000;

/** Limits of the account that came in place of another before their time, the newest one of each pair. */
function createEarlyLimits() {
  const byPair = new Map<string, { decided: Decided; known: KnownAnswer }>();
  let newestAt = 0;
  const keyOf = ({ planId, address }: Pick<Decided, 'planId' | 'address'>) => `${planId}:${address}`;
  return {
    /** Forgets the limit of a pair that has another answer. `at`: its time, epoch ms. */
    forget(answer: Pick<Decided, 'planId' | 'address' | 'at'>): void {
      newestAt = Math.max(newestAt, answer.at);
      byPair.delete(keyOf(answer));
    },
    hold(decided: Decided, known: KnownAnswer): void {
      if (byPair.size < EARLY_MAX) byPair.set(keyOf(decided), { decided, known });
    },
    /** Removes and returns those whose time has come, by the newest answer. */
    takeDue() {
      const due = [...byPair].filter(([, { known }]) => newestAt >= nextRepeat(known.firstAt, known.at));
      for (const [key] of due) byPair.delete(key);
      return due.map(([, one]) => one);
    },
  };
}

/** Returns how an answer stands. One that ends an order of which nothing was bought is that order's. */
function outcomeOf({ reason, isFinal }: Decided, before: KnownAnswer | undefined): DecisionOutcome {
  if (reason === null) return 'ordered';
  return isFinal && (before?.outcome === 'ordered' || before?.outcome === 'tried') ? 'tried' : 'not-bought';
}

/** Returns whether only the figures of an answer may be new. */
function isSameReason({ reason, before, isFirst }: Decided, known: KnownAnswer | undefined): boolean {
  const earlier = known ? known.reason?.code : before;
  return reason !== null && reason.code === earlier && !(isFirst && known === undefined);
}

/** Returns whether an answer adds nothing to the one before, or is one limit of the account in place of another, before its time. */
function isNothingNew({ reason, at, isFinal }: Decided, { outcome, reason: before, firstAt, at: since }: KnownAnswer) {
  if (outcome !== 'not-bought' || reason === null || before === null || isFinal) return false;
  if (isDeepStrictEqual(reason, before)) return true;
  // Each sale has all waiting tokens asked again.
  return isOfMoney(reason.code) && isOfMoney(before.code) && at < nextRepeat(firstAt, since);
}

/** Answers that wait for the database, one a plan and token. */
interface PendingAnswers {
  /** Adds an answer to the one that waits for the same pair. Returns false when there is no room for a bounded one. */
  put(answer: Answer, isBounded: boolean): boolean;
  take(): Answer[];
}

function createPendingAnswers(): PendingAnswers {
  let byPair = new Map<string, Answer>();
  let sizes = new Map<string, number>();
  const keyOf = ({ planId, address }: Answer) => `${planId}:${address}`;

  function put(answer: Answer, isBounded: boolean): boolean {
    const before = byPair.get(keyOf(answer));
    const size = sizes.get(answer.planId) ?? 0;
    if (!before && isBounded && (size >= PENDING_OF_PLAN_MAX || byPair.size >= PENDING_MAX)) return false;
    if (!before) sizes.set(answer.planId, size + 1);
    byPair.set(keyOf(answer), before ? merged(before, answer) : answer);
    return true;
  }

  return {
    put,
    take() {
      const taken = [...byPair.values()];
      byPair = new Map();
      sizes = new Map();
      return taken;
    },
  };
}

function merged(older: Answer, newer: Answer): Answer {
  return {
    ...newer,
    plan: newer.plan ?? older.plan,
    symbol: newer.symbol ?? older.symbol,
    orderId: newer.orderId ?? older.orderId,
    firstAt: older.firstAt,
    count: Math.max(older.count, newer.count),
    isRepeat: older.isRepeat && newer.isRepeat,
    isResumed: older.isResumed || newer.isResumed,
  };
}
