import { Types } from 'mongoose';
import type { DecisionOutcome, Waits } from '../../../common/decisions/model.ts';
import { HOUR } from '../../../common/time.ts';
import type { Reason, ReasonCode } from '../../../common/trading/reasons.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import type { Decided } from '../plans/core/model.ts';
import type { PlanNameRecord } from './record.ts';

/** Answers and counts that wait for the database. */
const PENDING_MAX = 20_000;
/** New entries that are stored within an hour: of one plan, and in all. Beyond, they are only counted. */
export const NEW_OF_PLAN_MAX = 2_000;
const NEW_MAX = 20_000;
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
export interface Answer extends Omit<OrderAnswer, 'orderId'> {
  /** Null: none so far. */
  orderId: string | null;
  /** What its conditions waited for; null: they were met. */
  waits: Waits | null;
  firstAt: number;
  /** 1 when the answer has changed since the last write: a reason that lasted no longer is none. */
  count: number;
  /** Whether only its figures are new. */
  isRepeat: boolean;
  /** Whether an entry is made when there is none. */
  isNew: boolean;
  isResumed: boolean;
}

/** Counts that are to be added to those of an hour (epoch ms of its begin). Those of `lost` are negative for reasons that no longer hold. */
export interface Counts {
  planId: string;
  userId: string;
  hour: number;
  considered: number;
  dropped: number;
  lost: Partial<Record<ReasonCode, number>>;
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

/** Collects answers until they are stored, one a plan and token. Bounded: beyond its limits they are counted without their details. */
export function createDecisionBuffer() {
  const admitsNew = createHourlyQuota();
  let answers = new Map<string, Answer>();
  let counts = new Map<string, Counts>();
  let last = new Map<string, Answer>();
  /** Token of each plan's last answer. */
  const lastTokens = createGrowingCache<string>(PLANS_MAX);

  function countsOf({ planId, userId, at }: Pick<Decided, 'planId' | 'userId' | 'at'>): Counts {
    const hour = at - (at % HOUR);
    const key = `${planId}:${hour}`;
    const known = counts.get(key);
    if (known) return known;
    const counted: Counts = { planId, userId, hour, considered: 0, dropped: 0, lost: {} };
    if (counts.size < PENDING_MAX) counts.set(key, counted);
    return counted;
  }

  /** Adds an answer to the one that waits for the same pair. Returns false when it is only counted. */
  function put(answer: Answer, isKept: boolean): boolean {
    const { planId, address, outcome, isRepeat } = answer;
    if (!isRepeat) lastTokens.set(planId, address);
    if (lastTokens.get(planId) === address) last.set(planId, answer);
    const key = `${planId}:${address}`;
    const older = answers.get(key);
    if (!isKept || (!older && outcome === 'not-bought' && answers.size >= PENDING_MAX)) return false;
    answers.set(key, older ? merged(older, answer) : answer);
    return true;
  }

  return {
    /** Notes an answer, and counts its token under its reason in place of the one before. */
    note(decided: Decided): void {
      const { before, isFirst, isFinal: _, wasMet: __, ...fields } = decided;
      const { reason, at } = fields;
      const counted = countsOf(decided);
      if (isFirst) counted.considered += 1;
      if (before) counted.lost[before] = (counted.lost[before] ?? 0) - 1;
      if (reason) counted.lost[reason.code] = (counted.lost[reason.code] ?? 0) + 1;
      const outcome = outcomeOf(decided);
      const isRepeat = reason !== null && reason.code === before && !isFirst;
      const isNew = outcome !== 'not-bought' || (isFirst && admitsNew(decided));
      const answer = { ...fields, outcome, firstAt: at, count: isRepeat ? 0 : 1, orderId: null, isRepeat, isNew };
      if (!put(answer, isNew || !isFirst)) counted.dropped += 1;
    },
    /** Notes the progress of an order, which is always stored: there are few of them. */
    noteOrder(order: OrderAnswer): void {
      put({ ...order, waits: null, firstAt: order.at, count: 0, isRepeat: false, isNew: true, isResumed: false }, true);
    },
    /** Returns everything noted, and forgets it. */
    take(): Batch {
      const id = new Types.ObjectId().toHexString();
      const batch = { id, answers: [...answers.values()], counts: [...counts.values()], last: [...last.values()] };
      answers = new Map();
      counts = new Map();
      last = new Map();
      return batch;
    },
  };
}

/** Returns how an answer stands. A final reason is the end of an order without a trade. */
function outcomeOf({ reason, isFinal }: Decided): DecisionOutcome {
  if (reason === null) return 'ordered';
  return isFinal ? 'tried' : 'not-bought';
}

function merged(older: Answer, newer: Answer): Answer {
  return {
    ...newer,
    symbol: newer.symbol ?? older.symbol,
    orderId: newer.orderId ?? older.orderId,
    firstAt: older.firstAt,
    count: Math.max(older.count, newer.count),
    isRepeat: older.isRepeat && newer.isRepeat,
    isNew: older.isNew || newer.isNew,
    isResumed: older.isResumed || newer.isResumed,
  };
}

/** Returns a function that admits a limited number of new entries in each hour. */
function createHourlyQuota(): (entry: Pick<Decided, 'planId' | 'at'>) => boolean {
  let present = { hour: 0, total: 0, ofPlan: new Map<string, number>() };
  return ({ planId, at }) => {
    const hour = at - (at % HOUR);
    if (present.hour !== hour) present = { hour, total: 0, ofPlan: new Map() };
    const ofPlan = present.ofPlan.get(planId) ?? 0;
    if (ofPlan >= NEW_OF_PLAN_MAX || present.total >= NEW_MAX) return false;
    present.total += 1;
    present.ofPlan.set(planId, ofPlan + 1);
    return true;
  };
}
