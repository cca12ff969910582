import { DAY, MINUTE, SECOND } from '../../time.ts';
import { limitBounds, type TradingLimits } from '../account.ts';
import { type Reason, reason } from '../reasons.ts';
import { bookOn, dayOf, type MoneyBook, placesTaken } from './book.ts';
import { type LockKind, type Protections, UNKNOWN_ORDERS_MAX } from './protections.ts';

/** A lock of buying in force. */
export interface Lock {
  kind: LockKind;
  /** Epoch ms; null: until a position is closed, or an order has its verdict. */
  until: number | null;
  reason: Reason;
}

/** The part of an account in one mode that protections depend on. */
export interface ProtectedAccount {
  limits: Pick<TradingLimits, 'maxOpen' | 'maxDayLossLamports' | 'cooldownMs'>;
  protections: Protections;
  book: MoneyBook;
  /** Orders without a verdict in time. */
  unknownOrders: number;
}

type Check = (account: ProtectedAccount, now: number) => Lock | null;

/** In the order in which they are named. */
const checks: readonly Check[] = [openPositionsLock, dayLossLock, cooldownLock, guardLock, unknownOrdersLock];

/** Returns the locks in force at a moment (epoch ms): those of protections that are switched on. */
export function locksOf(account: ProtectedAccount, now: number): Lock[] {
  const today = { ...account, book: bookOn(account.book, dayOf(now)) };
  return checks.map((check) => check(today, now)).filter((lock) => lock !== null);
}

function openPositionsLock({ limits, protections, book }: ProtectedAccount): Lock | null {
  const open = placesTaken(book);
  // Pages and documents hold that many.
  const limit = protections.openPositions ? limits.maxOpen : limitBounds.maxOpen.max;
  return open < limit
    ? null
    : { kind: 'open-positions', until: null, reason: reason('open-positions', { open, limit }) };
}

function dayLossLock({ limits, protections, book }: ProtectedAccount): Lock | null {
  const { maxDayLossLamports: limitLamports } = limits;
  if (!protections.dayLoss || book.realisedLamports > -limitLamports) return null;
  // The day of the book, which a clock that was set back does not end sooner.
  const until = Date.parse(book.day) + DAY;
  return { kind: 'day-loss', until, reason: reason('day-loss', { limitLamports, untilAt: until }) };
}

function cooldownLock({ limits, protections, book }: ProtectedAccount, now: number): Lock | null {
  const until = book.lastBuyAt + limits.cooldownMs;
  if (!protections.cooldown || limits.cooldownMs === 0 || until <= now) return null;
  return { kind: 'cooldown', until, reason: reason('cooldown', { seconds: Math.ceil((until - now) / SECOND) }) };
}

function guardLock({ protections, book }: ProtectedAccount, now: number): Lock | null {
  const until = guardUntil(protections, book.stopLossesAt);
  if (!protections.stopLossGuard || until <= now) return null;
  const { guardStopLosses: stopLosses, guardWindowMs } = protections;
  const numbers = { untilAt: until, stopLosses, minutes: Math.round(guardWindowMs / MINUTE) };
  return { kind: 'stop-loss-guard', until, reason: reason('stop-loss-guard', numbers) };
}

/** Returns until when the guard locks, epoch ms: counted from the last stop loss that completed its number; 0 without one. */
function guardUntil({ guardStopLosses, guardWindowMs, guardLockMs }: Protections, times: readonly number[]): number {
  for (let last = times.length - 1; last >= guardStopLosses - 1; last -= 1) {
    const [end = 0, begin = 0] = [times[last], times[last - guardStopLosses + 1]];
    if (end - begin <= guardWindowMs) return end + guardLockMs;
  }
  return 0;
}

function unknownOrdersLock({ protections, unknownOrders: count }: ProtectedAccount): Lock | null {
  if (!protections.unknownOrders || count < UNKNOWN_ORDERS_MAX) return null;
  return { kind: 'unknown-orders', until: null, reason: reason('unknown-orders', { count }) };
}
