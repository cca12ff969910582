import {
  type Attempt,
  afterEvent,
  isFinal,
  isOver,
  type OrderEvent,
  type OrderState,
} from '../../../common/trading/machine.ts';
import type { FillCosts } from '../../../common/trading/order.ts';
import type { Reason } from '../../../common/trading/reasons.ts';
import type { SignedAttempt, TradeFill } from '../executors/executor.ts';
import type { AttemptRecord, FillRecord, OrderRecord } from './model.ts';

/** An event of the machine with the facts that are stored with it. */
export type OrderChange = OrderEvent & {
  /** For `signed`. */
  attempt?: SignedAttempt;
  /** For `landed`. */
  fill?: TradeFill;
  /** Why the order or its attempt ended. */
  failure?: Reason;
  /** For `attempt-over`: paid by a reverted transaction, lamports. */
  feeLamports?: number;
  slot?: number | null;
  /** When it happened, epoch ms; default: when it is stored. */
  at?: number;
  /** For the verdict of an attempt: when the first bytes of the order left, epoch ms; they leave after their send is stored (O2). */
  sentAt?: number | null;
};

/** Returns the part of a stored order that decides which events are possible. */
export function stateOf(order: OrderRecord): OrderState {
  const { side, isWholePosition, status, noMore, attemptLimit, attempts } = order;
  return { side, isWholePosition, status, noMore, attemptLimit, attempts };
}

/**
 * Returns the order after some changes, with the next version; null when one of them is impossible, and nothing changes then.
 * `now`: epoch ms.
 */
export function afterChanges(order: OrderRecord, changes: readonly OrderChange[], now: number): OrderRecord | null {
  let next: OrderRecord = { ...order, version: order.version + 1 };
  for (const change of changes) {
    const state = afterEvent(stateOf(next), change);
    if (state === null) return null;
    const attempts = state.attempts.map((attempt) => attemptAfter(next, attempt, change, now));
    next = { ...next, status: state.status, noMore: state.noMore, attempts };
    if (change.fill) next = { ...next, fill: mergedFill(next.fill, change.fill) };
    if (change.failure && isFinal(state.status)) next = { ...next, failure: change.failure };
    next = { ...next, times: timesAfter(next, change, now) };
  }
  return isOver(stateOf(next)) ? { ...next, attempts: next.attempts.map(withoutBytes) } : next;
}

function attemptAfter(order: OrderRecord, state: Attempt, change: OrderChange, now: number): AttemptRecord {
  const { signature, sends, outcome } = state;
  const known = order.attempts.find((attempt) => attempt.signature === signature) ?? newAttempt(state, change, now);
  if (!('signature' in change) || change.signature !== signature || change.type === 'signed') return known;
  const { failure = known.failure, feeLamports = known.feeLamports, slot = known.slot } = change;
  const firstSentAt = known.firstSentAt ?? (sends > 0 ? now : null);
  const fill = change.fill ? { fill: fillRecord(change.fill) } : {};
  return {
    ...known,
    ...{ sends, outcome, feeLamports, slot, firstSentAt, ...fill },
    failure: outcome === 'landed' ? null : failure,
  };
}

function newAttempt(
  { signature, lastValidBlockHeight }: Attempt,
  { attempt }: OrderChange,
  now: number,
): AttemptRecord {
  if (!attempt) throw new Error('a signed transaction is stored with its bytes');
  return {
    signature,
    bytes: attempt.bytes,
    lastValidBlockHeight,
    least: String(attempt.least),
    sends: 0,
    signedAt: now,
    firstSentAt: null,
    delayMs: attempt.delayMs ?? null,
    outcome: null,
    failure: null,
    feeLamports: 0,
    slot: null,
  };
}

const withoutBytes = (attempt: AttemptRecord): AttemptRecord => ({ ...attempt, bytes: null });

function timesAfter({ times, status }: OrderRecord, change: OrderChange, now: number): OrderRecord['times'] {
  const { type, at = now, sentAt = null } = change;
  const next = { ...times };
  if (type === 'held') next.held ??= at;
  if (type === 'signed') next.signed ??= at;
  if (type === 'sending') next.sent ??= at;
  if (sentAt !== null) next.sent = sentAt;
  if (isFinal(status)) next.decided ??= now;
  return next;
}

/** Returns a fill as stored. The second attempt of a sale lands too only if tokens arrived meanwhile; the fill then is their sum. */
function mergedFill(before: FillRecord | null, added: TradeFill): FillRecord {
  const fill = fillRecord(added);
  if (before === null) return fill;
  return {
    ...fill,
    tokens: String(BigInt(before.tokens) + added.tokens),
    lamports: before.lamports + fill.lamports,
    costs: addedCosts(before.costs, fill.costs),
  };
}

/** Returns a fill as it is stored. */
export function fillRecord({ tokens, lamports, costs, price, slot, at }: TradeFill): FillRecord {
  return { tokens: String(tokens), lamports: Number(lamports), costs, price, slot, at };
}

function addedCosts(one: FillCosts, other: FillCosts): FillCosts {
  return {
    launchpadFeeLamports: sumIfKnown(one.launchpadFeeLamports, other.launchpadFeeLamports),
    networkFeeLamports: one.networkFeeLamports + other.networkFeeLamports,
    priorityFeeLamports: one.priorityFeeLamports + other.priorityFeeLamports,
    tipLamports: one.tipLamports + other.tipLamports,
    accountRentLamports: one.accountRentLamports + other.accountRentLamports,
    volumeRentLamports: one.volumeRentLamports + other.volumeRentLamports,
    returnedRentLamports: one.returnedRentLamports + other.returnedRentLamports,
  };
}

const sumIfKnown = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other;
