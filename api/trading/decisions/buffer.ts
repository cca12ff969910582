import { Types } from 'mongoose';
import type { DecisionOutcome } from '../../../common/decisions/model.ts';
import { type Reason, reasonCodes } from '../../../common/trading/reasons.ts';
import type { Decided, LeftOut } from '../core/model.ts';
import { createOpenPairs, type KnownAnswer } from './open-pairs.ts';
import { type Counts, createHourlyQuota, createPendingCounts } from './pending-counts.ts';
import type { PlanNameRecord } from './record.ts';

/** Answers that wait for the database: of one plan, and in all. Beyond, they are only counted. */
export const PENDING_OF_PLAN_MAX = 2_000;
const PENDING_MAX = 20_000;

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
  firstAt: number;
  /** Changes since the last write. */
  count: number;
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

  return {
    note(decided) {
      const { planId, userId, address, symbol, reason, at, isResumed, isFinal } = decided;
      const before = pairs.get(planId, address);
      const outcome = outcomeOf(decided, before);
      const answer = { planId, userId, address, symbol, outcome, reason, at, isResumed };
      const full: Answer = { ...answer, firstAt: at, count: 1, plan: null, orderId: null };
      last.set(planId, full);
      const count = counts.of(full);
      if (before === undefined) count.considered += 1;
      if (reason) count.reasons[reason.code] = (count.reasons[reason.code] ?? 0) + 1;
      const isBounded = outcome === 'not-bought';
      const isNew = isBounded && (before === undefined || before === 'counted');
      if ((isNew && !admitsNew(full)) || !answers.put(full, isBounded)) {
        count.dropped += 1;
        pairs.set(planId, address, before ?? 'counted');
      } else if (isFinal) pairs.remove(planId, address);
      else pairs.set(planId, address, outcome);
    },
    leaveOut(leftOut) {
      const count = counts.of(leftOut);
      count.considered += leftOut.tokens;
      for (const code of reasonCodes) {
        const { [code]: given = 0 } = leftOut.reasons;
        if (given === 0) continue;
        count.dropped += given;
        count.reasons[code] = (count.reasons[code] ?? 0) + given;
      }
    },
    noteOrder(order) {
      const answer: Answer = { ...order, firstAt: order.at, count: 0, isResumed: false };
      pairs.set(order.planId, order.address, order.outcome);
      last.set(order.planId, answer);
      answers.put(answer, false);
    },
    take() {
      const id = new Types.ObjectId().toHexString();
      const batch = { id, answers: answers.take(), counts: counts.take(), last: [...last.values()] };
      last = new Map();
      return batch;
    },
  };
}

/** Returns how an answer stands. One that ends an order of which nothing was bought is that order's. */
function outcomeOf({ reason, isFinal }: Decided, before: KnownAnswer | undefined): DecisionOutcome {
  if (reason === null) return 'ordered';
  return isFinal && (before === 'ordered' || before === 'tried') ? 'tried' : 'not-bought';
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
    count: older.count + newer.count,
    isResumed: older.isResumed || newer.isResumed,
  };
}
