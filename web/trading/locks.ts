import { MINUTE, SECOND } from '../../common/time.ts';
import type { TradingAccount } from '../../common/trading/account.ts';
import type { LockView } from '../../common/trading/limits/protections.ts';
import { reason, reasonText } from '../../common/trading/reasons.ts';

/** Returns whether a lock is in force at a time, epoch ms by the server's clock. */
export function isInForce({ until }: LockView, now: number): boolean {
  return until === null || Date.parse(until) > now;
}

/**
 * Returns the locks that are named above each page: a short cooldown is over before it is read, and while trading is stopped
 * or off none of them matters.
 */
export function namedLocks({ mode, stopped, stoppedAll, locks, limits }: TradingAccount, now: number): LockView[] {
  if (mode === null || stopped !== null || stoppedAll) return [];
  return locks.filter((lock) => isInForce(lock, now) && (lock.kind !== 'cooldown' || limits.cooldownMs >= MINUTE));
}

/** Returns the sentence of a lock at a time. */
export function lockText({ kind, until, reason: why }: LockView, now: number): string {
  if (kind === 'open-positions') return `${reasonText(why)} No other token is bought until one is closed.`;
  if (kind !== 'cooldown' || until === null) return reasonText(why);
  return reasonText(reason('cooldown', { seconds: Math.ceil((Date.parse(until) - now) / SECOND) }));
}
