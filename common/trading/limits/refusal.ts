import { KEPT_BACK_LAMPORTS, type TradingLimits } from '../account.ts';
import { type Reason, reason } from '../reasons.ts';
import { bookOn, dayOf, type Hold, type MoneyBook } from './book.ts';
import { type Lock, locksOf, type ProtectedAccount } from './locks.ts';

/** Limits and money of a user in one mode. */
export interface LimitedAccount extends ProtectedAccount {
  isStopped: boolean;
  limits: TradingLimits;
  /** Play money on paper, or SOL in the wallet when the price was read; null when unknown. */
  moneyLamports: number | null;
}

/** A purchase that an account is asked to reserve money for. */
export interface PurchaseNeed extends Hold {
  /** Whether a rule or strategy makes it, and not the user by hand. */
  isAutomatic: boolean;
}

/**
 * Returns why the account refuses a purchase at a moment (epoch ms); null when it does not. The same conditions as those of the
 * atomic update of a hold, which decides.
 */
export function holdRefusal(account: LimitedAccount, need: PurchaseNeed, now: number): Reason | null {
  const { limits, isStopped } = account;
  const book = bookOn(account.book, dayOf(now));
  const { lamports, totalLamports } = need;
  if (isStopped) return reason('stopped');
  const most = mostLeaving(need);
  if (most > limits.perTradeLamports) {
    return reason('per-trade', { needsLamports: most, limitLamports: limits.perTradeLamports });
  }
  const left = limits.perDayLamports - book.usedLamports;
  if (lamports > left) return reason('day-budget', { needsLamports: lamports, leftLamports: Math.max(0, left) });
  const lock = locksOf(account, now).find((one) => appliesTo(one, book, need));
  if (lock) return lock.reason;
  // Money of a purchase that has just landed counts twice until its hold ends, which refuses rather than spends too much.
  return account.moneyLamports === null
    ? null
    : balanceRefusal(account.moneyLamports - book.reservedLamports, totalLamports);
}

/**
 * Returns the largest purchase that the money and the limits of an account allow at a moment (epoch ms), lamports; 0 for none, and null
 * while the money is unknown. `costs`: everything besides the amount that leaves the wallet. Locks are left out: they refuse any amount.
 */
export function mostPurchase(
  { limits, book: stored }: Pick<LimitedAccount, 'limits' | 'book'>,
  { freeLamports, costs }: { freeLamports: number | null; costs: number },
  now: number,
): number | null {
  if (freeLamports === null) return null;
  const { usedLamports } = bookOn(stored, dayOf(now));
  const byWallet = freeLamports - KEPT_BACK_LAMPORTS - costs;
  return Math.max(0, Math.min(byWallet, limits.perTradeLamports - costs, limits.perDayLamports - usedLamports));
}

/** Returns the refusal of a purchase that leaves too little of a wallet's free lamports for a sale; null when it leaves enough. */
export function balanceRefusal(freeLamports: number, totalLamports: number): Reason | null {
  if (totalLamports + KEPT_BACK_LAMPORTS <= freeLamports) return null;
  const hasLamports = Math.max(0, freeLamports);
  return reason('balance', { hasLamports, needsLamports: totalLamports, keptBackLamports: KEPT_BACK_LAMPORTS });
}

/** Returns the most that leaves the wallet by a purchase, lamports; its amount while the costs are not known. */
function mostLeaving({ lamports, totalLamports }: Pick<PurchaseNeed, 'lamports' | 'totalLamports'>): number {
  return Math.max(lamports, totalLamports);
}

/** Returns whether a lock concerns a purchase: more of a token takes no other place, and the guard leaves buying by hand. */
function appliesTo(
  { kind }: Pick<Lock, 'kind'>,
  { places }: Pick<MoneyBook, 'places'>,
  { address, isAutomatic }: PurchaseNeed,
): boolean {
  if (kind === 'open-positions') return address !== null && !places.includes(address);
  return kind !== 'stop-loss-guard' || isAutomatic;
}
