import { SECOND } from '../../../../common/time.ts';
import { isFinal, isOver, mayAttempt, undecidedAttempts } from '../../../../common/trading/machine.ts';
import { type Reason, type ReasonCode, reason } from '../../../../common/trading/reasons.ts';
import { LEADER_SLOTS, USUAL_SLOT_MS } from '../../../chain/slots.ts';
import { stateOf } from '../changes.ts';
import type { AttemptRecord, OrderRecord } from '../model.ts';
import { failureOf, isExit } from '../terms.ts';

/** An order that was not sent within this time is no longer made: its price is of another moment. */
export const FRESH_MS = 5 * SECOND;
/** Time from its creation in which an order may be attempted again. */
export const ATTEMPTS_MS = 20 * SECOND;
/** An attempt without a verdict for this long makes the order `unknown`. */
export const OVERDUE_MS = 90 * SECOND;
/** A sale of everything that was sent this long ago gets a second attempt, with more slippage. */
export const STUCK_MS = 6 * SECOND;
/**
 * Returns the time between two sends of the same bytes, ms: each leader gets them once, as it leads several slots in a row. `slotMs`:
 * length of a slot, ms; null while it is not known.
 */
export function resendMs(slotMs: number | null): number {
  return LEADER_SLOTS * (slotMs ?? USUAL_SLOT_MS);
}

/** What the worker does next with an order. */
export type NextAction =
  | { type: 'cancel'; reason: Reason }
  | { type: 'hold' }
  | { type: 'attempt' }
  | { type: 'look' }
  | { type: 'give-up'; reason: Reason }
  | { type: 'overdue' }
  | { type: 'finish' };

/** Reasons after which another attempt may succeed. */
const PASSING: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'slippage',
  'impact',
  'expired',
  'node-away',
  'data-limit',
]);

/** Returns the next action of an order, from its stored state and the time (epoch ms) alone. */
export function nextAction(order: OrderRecord, now: number): NextAction {
  if (isOver(order)) return { type: 'finish' };
  if (order.status === 'created' || order.status === 'held') {
    if (!isExit(order) && now - order.times.created > FRESH_MS) return { type: 'cancel', reason: reason('too-old') };
    return { type: order.status === 'created' ? 'hold' : 'attempt' };
  }
  const [oldest] = undecided(order);
  if (oldest === undefined) {
    return mayTryAgain(order, now) ? { type: 'attempt' } : { type: 'give-up', reason: failureOf(order) };
  }
  if (order.status === 'sent' && now - oldest.signedAt > OVERDUE_MS) return { type: 'overdue' };
  return isStuck(order, now) ? { type: 'attempt' } : { type: 'look' };
}

/** Returns the attempts that may still land, oldest first. */
export function undecided(order: Pick<OrderRecord, 'attempts'>): AttemptRecord[] {
  const signatures = new Set(undecidedAttempts(order).map(({ signature }) => signature));
  return order.attempts.filter(({ signature }) => signatures.has(signature));
}

function mayTryAgain(order: OrderRecord, now: number): boolean {
  if (isFinal(order.status) || !mayAttempt(stateOf(order))) return false;
  const failure = order.attempts.at(-1)?.failure;
  if (!failure || !PASSING.has(failure.code)) return false;
  return isExit(order) || now - order.times.created <= ATTEMPTS_MS;
}

/**
 * Returns whether a sale of everything needs a second attempt while the first one has no verdict (O5). On paper none gets
 * lost, and its end
 * does not depend on when it is looked for.
 */
function isStuck(order: OrderRecord, now: number): boolean {
  const last = order.attempts.at(-1);
  if (order.mode === 'paper') return false;
  return isExit(order) && mayAttempt(stateOf(order)) && last !== undefined && now - last.signedAt > STUCK_MS;
}
