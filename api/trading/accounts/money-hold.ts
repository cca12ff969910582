import { SECOND } from '../../../common/time.ts';
import { KEPT_BACK_LAMPORTS, type TradingMode } from '../../../common/trading/account.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { BookRecord, HoldRecord, TradingAccountRecord } from './model.ts';

/** A hold that is asked for. A sale reserves nothing, and neither limits nor a stop refuse it. */
export interface HoldRequest extends HoldRecord {
  orderId: string;
  mode: TradingMode;
  side: 'buy' | 'sell';
  /** SOL in the wallet on a chain when the price was read; missing or null: not known, or on paper. */
  walletLamports?: number | null;
}

/** Returns the day (UTC) of a time in epoch ms, `YYYY-MM-DD`. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/**
 * Returns a book as it is on a day: a later day begins with the holds of orders that are not over. A clock that was set back
 * begins no new day.
 */
export function bookOn(book: BookRecord, day: string): BookRecord {
  return book.day >= day ? book : { ...book, day, usedLamports: book.heldLamports, realisedLamports: 0 };
}

/** Returns the number of places for open positions in use. */
export function openOf({ positions, opening }: Pick<BookRecord, 'positions' | 'opening'>): number {
  return positions.length + opening;
}

type Account = Pick<TradingAccountRecord, 'limits' | 'stopped' | 'books' | 'paper'>;

/**
 * Returns why the account refuses a purchase at this moment; null when it does not. The same conditions as those of the
 * atomic update (`holdFilter`), which decides.
 */
export function holdRefusal(account: Account, request: Omit<HoldRequest, 'orderId'>, now: number): Reason | null {
  if (request.side === 'sell') return null;
  const { limits, stopped, paper } = account;
  const book = bookOn(account.books[request.mode], dayOf(now));
  const { lamports, totalLamports } = request;
  if (stopped !== null) return reason('stopped');
  if (lamports > limits.perTradeLamports) {
    return reason('per-trade', { needsLamports: lamports, limitLamports: limits.perTradeLamports });
  }
  const left = limits.perDayLamports - book.usedLamports;
  if (lamports > left) return reason('day-budget', { needsLamports: lamports, leftLamports: Math.max(0, left) });
  if (request.opens && openOf(book) >= limits.maxOpen) {
    return reason('open-positions', { open: openOf(book), limit: limits.maxOpen });
  }
  if (book.realisedLamports <= -limits.maxDayLossLamports) {
    return reason('day-loss', { limitLamports: limits.maxDayLossLamports });
  }
  const wait = book.lastBuyAt + limits.cooldownMs - now;
  if (limits.cooldownMs > 0 && wait > 0) return reason('cooldown', { seconds: Math.ceil(wait / SECOND) });
  const needs = totalLamports + KEPT_BACK_LAMPORTS;
  const wallet = request.mode === 'paper' ? paper.lamports : (request.walletLamports ?? null);
  // Money of a purchase that has just landed counts twice until its hold ends, which refuses rather than spends too much.
  const has = wallet === null ? needs : wallet - book.reservedLamports;
  if (needs > has) {
    return reason('balance', { hasLamports: Math.max(0, has), needsLamports: needs });
  }
  return null;
}

/** Returns the filter that the account document has to match for a hold, besides its id. */
export function holdFilter(request: HoldRequest, now: number) {
  const { orderId, mode, side, lamports, totalLamports, opens, walletLamports = null } = request;
  const book = `books.${mode}`;
  const isNew = { ended: { $ne: orderId }, [`${book}.holds.${orderId}`]: { $exists: false } };
  if (side === 'sell') return isNew;
  const of = (field: string) => `$${book}.${field}`;
  const conditions: object[] = [
    { $lte: [lamports, '$limits.perTradeLamports'] },
    { $lte: [{ $add: [of('usedLamports'), lamports] }, '$limits.perDayLamports'] },
    { $gt: [{ $add: [of('realisedLamports'), '$limits.maxDayLossLamports'] }, 0] },
    { $or: [{ $eq: ['$limits.cooldownMs', 0] }, { $lte: [{ $add: [of('lastBuyAt'), '$limits.cooldownMs'] }, now] }] },
  ];
  if (opens) {
    conditions.push({ $lt: [{ $add: [{ $size: of('positions') }, of('opening')] }, '$limits.maxOpen'] });
  }
  const wallet = mode === 'paper' ? '$paper.lamports' : walletLamports;
  if (wallet !== null) {
    conditions.push({ $lte: [{ $add: [of('reservedLamports'), totalLamports, KEPT_BACK_LAMPORTS] }, wallet] });
  }
  return { ...isNew, stopped: null, [`${book}.day`]: { $gte: dayOf(now) }, $expr: { $and: conditions } };
}

/** Returns the change of a hold. */
export function holdUpdate({ orderId, mode, side, lamports, totalLamports, opens }: HoldRequest, now: number) {
  const book = `books.${mode}`;
  return {
    $set: {
      [`${book}.holds.${orderId}`]: { lamports, totalLamports, opens },
      updatedAt: new Date(now),
      ...(side === 'buy' ? { [`${book}.lastBuyAt`]: now } : {}),
    },
    $inc: {
      [`${book}.usedLamports`]: lamports,
      [`${book}.heldLamports`]: lamports,
      [`${book}.reservedLamports`]: totalLamports,
      [`${book}.opening`]: opens ? 1 : 0,
      version: 1,
    },
  };
}

/** What an order has moved when it is over; zeros when nothing was traded. */
export interface Settlement {
  /** Spent by a purchase, without the other costs. */
  spentLamports: number;
  realisedLamports: number;
  /** Change of the wallet with all costs, which play money follows. */
  walletLamports: number;
  /** A position that the order opened or closed. */
  position: { id: string; isOpen: boolean } | null;
}

export const nothingSettled: Settlement = {
  spentLamports: 0,
  realisedLamports: 0,
  walletLamports: 0,
  position: null,
};

/**
 * Orders and positions whose end is remembered for each user: far more than may still be in the hands of a worker that was
 * cut off.
 */
export const ENDED_KEPT = 400;

/** Returns the change by which a hold ends. `hold`: null for an order that never had one. */
export function settleUpdate(
  { orderId, mode }: Pick<HoldRequest, 'orderId' | 'mode'>,
  hold: HoldRecord | null,
  { spentLamports, realisedLamports, walletLamports, position }: Settlement,
  now: number,
) {
  const book = `books.${mode}`;
  const held = hold ?? { lamports: 0, totalLamports: 0, opens: false };
  const positions = position && { [`${book}.positions`]: position.id };
  const ended = position && !position.isOpen ? [orderId, position.id] : [orderId];
  return {
    ...(hold ? { $unset: { [`${book}.holds.${orderId}`]: 1 } } : {}),
    $inc: {
      [`${book}.usedLamports`]: spentLamports - held.lamports,
      [`${book}.heldLamports`]: -held.lamports,
      [`${book}.reservedLamports`]: -held.totalLamports,
      [`${book}.opening`]: held.opens ? -1 : 0,
      [`${book}.realisedLamports`]: realisedLamports,
      ...(mode === 'paper' ? { 'paper.lamports': walletLamports } : {}),
      version: 1,
    },
    ...(positions ? (position.isOpen ? { $addToSet: positions } : { $pull: positions }) : {}),
    $push: { ended: { $each: ended, $slice: -ENDED_KEPT } },
    $set: { updatedAt: new Date(now) },
  };
}
