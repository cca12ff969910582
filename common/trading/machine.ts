import { z } from 'zod';

/**
 * The life of an order as data. One document holds an order with its attempts; the service writes what `afterEvent` returns, by
 * compare-and-set on the document's version. An exhaustive model of two workers, a chain and a stop is explored over this
 * module (`machine.test.ts`).
 */

/**
 * `created`: stored. `held`: its money is reserved. `sent`: an attempt is stored and may be on its way. `unknown`: like `sent`,
 * but overdue, and nothing more is signed for it. The other three are final: only the second attempt of a sale that is
 * `confirmed` by the first may still be decided.
 */
export const orderStatuses = ['created', 'held', 'sent', 'unknown', 'confirmed', 'failed', 'cancelled'] as const;
export const orderStatusSchema = z.enum(orderStatuses);
export type OrderStatus = z.infer<typeof orderStatusSchema>;

/**
 * `landed`: in a block, and the wallet's token balance moved as ordered. `reverted`: in a block, with an error or without effect.
 * `expired`: can't get into a block any more.
 * `refused`: a node rejected the bytes before forwarding them, and they were never sent before.
 */
export const attemptOutcomeSchema = z.enum(['landed', 'reverted', 'expired', 'refused']);
export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>;

export const orderSideSchema = z.enum(['buy', 'sell']);
export type OrderSide = z.infer<typeof orderSideSchema>;

/** A signed transaction of an order. It is stored before its first byte leaves, and only stored bytes are sent. */
export interface Attempt {
  signature: string;
  /** The last block height that can include it. */
  lastValidBlockHeight: number;
  /** Sends, each counted before it happens, so that a crash between both leaves too many rather than too few. */
  sends: number;
  /** Null while undecided. */
  outcome: AttemptOutcome | null;
}

/** The part of an order that decides which events are possible. */
export interface OrderState {
  side: OrderSide;
  /** Whether it sells everything that the wallet has of the token; then a second landed attempt would revert. */
  isWholePosition: boolean;
  status: OrderStatus;
  /** Whether a stop forbids further attempts. */
  noMore: boolean;
  /** Most attempts in the order's life. */
  attemptLimit: number;
  attempts: readonly Attempt[];
}

/**
 * What can happen to an order: its money is reserved or not; it is cancelled by its owner or by a guard; the owner stops all
 * buying; an attempt is signed and stored; a send is counted; an attempt is found in a block, or can't have an effect any
 * more; no further attempt is wanted; no verdict came in time.
 */
export type OrderEvent =
  | { type: 'held' }
  | { type: 'hold-refused' }
  | { type: 'cancelled' }
  | { type: 'stopped' }
  | { type: 'signed'; signature: string; lastValidBlockHeight: number }
  | { type: 'sending'; signature: string }
  | { type: 'landed'; signature: string }
  | { type: 'attempt-over'; signature: string; outcome: Exclude<AttemptOutcome, 'landed'> }
  | { type: 'given-up' }
  | { type: 'overdue' };
export type OrderEventType = OrderEvent['type'];

/** The status after an event, by the status before. A missing event is impossible in that status. */
export const orderTransitions: Readonly<Record<OrderStatus, Readonly<Partial<Record<OrderEventType, OrderStatus>>>>> = {
  created: { held: 'held', 'hold-refused': 'failed', cancelled: 'cancelled', stopped: 'cancelled' },
  held: { signed: 'sent', cancelled: 'cancelled', stopped: 'cancelled' },
  sent: {
    signed: 'sent',
    sending: 'sent',
    landed: 'confirmed',
    'attempt-over': 'sent',
    'given-up': 'failed',
    overdue: 'unknown',
    stopped: 'sent',
  },
  unknown: {
    sending: 'unknown',
    landed: 'confirmed',
    'attempt-over': 'unknown',
    'given-up': 'failed',
    stopped: 'unknown',
  },
  confirmed: { landed: 'confirmed', 'attempt-over': 'confirmed' },
  failed: {},
  cancelled: {},
};

/** Returns whether the status is final. */
export function isFinal(status: OrderStatus): boolean {
  return Object.values(orderTransitions[status]).every((next) => next === status);
}

/** Returns whether no event can change the order any more: its costs are known, and its reserved money has to be released. */
export function isOver(order: Pick<OrderState, 'status' | 'attempts'>): boolean {
  return isFinal(order.status) && undecidedAttempts(order).length === 0;
}

/** Returns the attempts that may still land, oldest first. */
export function undecidedAttempts(order: Pick<OrderState, 'attempts'>): Attempt[] {
  return order.attempts.filter(({ outcome }) => outcome === null);
}

/**
 * Most undecided attempts of an order. A second buy could land beside the first. Of two sales of a whole position the second
 * one finds no tokens and reverts, so a stuck exit need not wait.
 */
const UNDECIDED_LIMIT = { normal: 1, wholeSale: 2 } as const;

function undecidedLimit({ side, isWholePosition }: OrderState): number {
  return side === 'sell' && isWholePosition ? UNDECIDED_LIMIT.wholeSale : UNDECIDED_LIMIT.normal;
}

/** Returns whether another attempt may be signed now. */
export function mayAttempt(order: OrderState): boolean {
  return (
    orderTransitions[order.status].signed !== undefined &&
    !order.noMore &&
    order.attempts.length < order.attemptLimit &&
    undecidedAttempts(order).length < undecidedLimit(order)
  );
}

/** Returns the order after an event; null when the event is impossible in its present state, which then stays as it is. */
export function afterEvent(order: OrderState, event: OrderEvent): OrderState | null {
  const status = orderTransitions[order.status][event.type];
  if (status === undefined) return null;
  const next = { ...order, status };
  switch (event.type) {
    case 'held':
    case 'hold-refused':
    case 'cancelled':
      return next;
    case 'stopped':
      // A stop ends buying; sales go on.
      return order.side === 'buy' ? { ...next, noMore: true } : null;
    case 'signed':
      return withAttempt(next, order, event);
    case 'sending':
      return withUndecided(next, event.signature, (attempt) => ({ ...attempt, sends: attempt.sends + 1 }));
    case 'landed':
      return withLanded(next, order.status, event.signature);
    case 'attempt-over':
      return withUndecided(next, event.signature, (attempt) => {
        // Bytes that were sent twice may be on their way from the other time.
        return event.outcome === 'refused' && attempt.sends !== 1 ? null : { ...attempt, outcome: event.outcome };
      });
    case 'given-up':
      return undecidedAttempts(order).length === 0 ? next : null;
    case 'overdue':
      return undecidedAttempts(order).length > 0 ? next : null;
  }
}

function withAttempt(
  next: OrderState,
  before: OrderState,
  { signature, lastValidBlockHeight }: { signature: string; lastValidBlockHeight: number },
): OrderState | null {
  if (!mayAttempt(before) || before.attempts.some((attempt) => attempt.signature === signature)) return null;
  return { ...next, attempts: [...before.attempts, { signature, lastValidBlockHeight, sends: 0, outcome: null }] };
}

function withUndecided(
  order: OrderState,
  signature: string,
  change: (attempt: Attempt) => Attempt | null,
): OrderState | null {
  const index = order.attempts.findIndex((attempt) => attempt.signature === signature && attempt.outcome === null);
  const attempt = order.attempts[index];
  const changed = attempt && change(attempt);
  return changed ? { ...order, attempts: order.attempts.with(index, changed) } : null;
}

/** Also takes an attempt that was judged otherwise, as long as no attempt has landed: the chain decides. */
function withLanded(order: OrderState, before: OrderStatus, signature: string): OrderState | null {
  const index = order.attempts.findIndex(
    (attempt) => attempt.signature === signature && (before !== 'confirmed' || attempt.outcome === null),
  );
  const attempt = order.attempts[index];
  return attempt ? { ...order, attempts: order.attempts.with(index, { ...attempt, outcome: 'landed' }) } : null;
}

/**
 * Returns whether an attempt that no node found can't get into a block any more. `height` is the final block height read
 * before the signature was looked up: read afterwards, a block between both would be missed. `blocksOfLag`: how many
 * blocks the node with the signatures may be behind the one with the height.
 */
export function isExpired(
  { lastValidBlockHeight }: Pick<Attempt, 'lastValidBlockHeight'>,
  height: number,
  blocksOfLag: number,
): boolean {
  return height > lastValidBlockHeight + blocksOfLag;
}

/** Status of an order as users see it; null is shown as Unknown. */
export const shownStatuses = {
  created: 'pending',
  held: 'pending',
  sent: 'pending',
  unknown: null,
  confirmed: 'confirmed',
  failed: 'failed',
  cancelled: 'failed',
} as const satisfies Record<OrderStatus, string | null>;
