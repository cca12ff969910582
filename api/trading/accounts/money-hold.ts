import type { TradingMode } from '../../../common/trading/account.ts';
import { KEPT_BACK_LAMPORTS, limitBounds } from '../../../common/trading/account.ts';
import { dayOf, type Hold, type MoneyBook, type Settlement } from '../../../common/trading/limits/book.ts';
import { defaultProtections, type Protections, STOP_LOSSES_KEPT } from '../../../common/trading/limits/protections.ts';
import { type LimitedAccount, mostLeaving, type PurchaseNeed } from '../../../common/trading/limits/refusal.ts';
import type { BookRecord, TradingAccountRecord } from './model.ts';

/** A hold that is asked for. A sale reserves nothing, and neither limits nor a stop refuse it. */
export interface HoldRequest extends PurchaseNeed {
  orderId: string;
  mode: TradingMode;
  side: 'buy' | 'sell';
  /** SOL in the wallet on a chain when the price was read; missing or null: not known, or on paper. */
  walletLamports?: number | null;
}

/** Returns the switches and figures of an account's protections. */
export function protectionsOf({ protections }: Pick<TradingAccountRecord, 'protections'>): Protections {
  return { ...defaultProtections, ...protections };
}

/** Returns a stored book as limits read it. */
export function moneyBookOf({ positions, tokens = {}, holds, stopLossesAt = [], ...book }: BookRecord): MoneyBook {
  const { day, usedLamports, realisedLamports, heldLamports, reservedLamports, lastBuyAt } = book;
  const money = { day, usedLamports, realisedLamports, heldLamports, reservedLamports, lastBuyAt };
  const places = [
    ...positions.map((id) => tokens[id] ?? id),
    ...Object.values(holds).flatMap(({ address }) => address ?? []),
  ];
  return { ...money, places, stopLossesAt };
}

/** Returns an account in one mode as limits read it. `walletLamports`: on a chain, null when unknown. */
export function limitedAccountOf(
  account: Pick<TradingAccountRecord, 'limits' | 'protections' | 'stopped' | 'books' | 'paper'>,
  { mode, walletLamports = null }: Pick<HoldRequest, 'mode' | 'walletLamports'>,
  unknownOrders: number,
): LimitedAccount {
  const { limits, stopped, books, paper } = account;
  return {
    limits,
    protections: protectionsOf(account),
    isStopped: stopped !== null,
    book: moneyBookOf(books[mode]),
    moneyLamports: mode === 'paper' ? paper.lamports : walletLamports,
    unknownOrders,
  };
}

/** Returns the filter that the account document has to match for a hold, besides its id. The same conditions as `holdRefusal`. */
export function holdFilter(request: HoldRequest, now: number) {
  const { orderId, mode, side, lamports, totalLamports, address, isAutomatic, walletLamports = null } = request;
  const book = `books.${mode}`;
  const isNew = { ended: { $ne: orderId }, [`${book}.holds.${orderId}`]: { $exists: false } };
  if (side === 'sell') return isNew;
  const of = (field: string) => `$${book}.${field}`;
  const conditions: object[] = [
    { $lte: [mostLeaving(request), '$limits.perTradeLamports'] },
    { $lte: [{ $add: [of('usedLamports'), lamports] }, '$limits.perDayLamports'] },
    unless('dayLoss', { $gt: [{ $add: [of('realisedLamports'), '$limits.maxDayLossLamports'] }, 0] }),
    unless('cooldown', {
      $or: [{ $eq: ['$limits.cooldownMs', 0] }, { $lte: [{ $add: [of('lastBuyAt'), '$limits.cooldownMs'] }, now] }],
    }),
  ];
  if (isAutomatic) conditions.push(unless('stopLossGuard', { $not: [isGuardLocked(of('stopLossesAt'), now)] }));
  if (address !== null) conditions.push(hasPlace(address, of));
  const wallet = mode === 'paper' ? '$paper.lamports' : walletLamports;
  if (wallet !== null) {
    conditions.push({ $lte: [{ $add: [of('reservedLamports'), totalLamports, KEPT_BACK_LAMPORTS] }, wallet] });
  }
  return { ...isNew, stopped: null, [`${book}.day`]: { $gte: dayOf(now) }, $expr: { $and: conditions } };
}

/** Whether a token has a place, or one is left; in an expression. */
function hasPlace(address: string, of: (field: string) => string): object {
  const limit = { $cond: [protection('openPositions'), '$limits.maxOpen', limitBounds.maxOpen.max] };
  const each = (entries: object, value: string) => ({ $map: { input: { $objectToArray: entries }, in: value } });
  const tokens = { $ifNull: [of('tokens'), {}] };
  const places = {
    $setUnion: [
      each(tokens, '$$this.v'),
      // Those that an earlier version stored.
      { $setDifference: [of('positions'), each(tokens, '$$this.k')] },
      // Sales have no address.
      { $setDifference: [each({ $ifNull: [of('holds'), {}] }, '$$this.v.address'), [null]] },
    ],
  };
  return {
    $let: { vars: { places }, in: { $or: [{ $in: [address, '$$places'] }, { $lt: [{ $size: '$$places' }, limit] }] } },
  };
}

/** The value of a protection, in an expression. */
function protection(name: keyof Protections): object {
  return { $ifNull: [`$protections.${name}`, defaultProtections[name]] };
}

/** A condition that holds also while its protection is switched off. */
function unless(name: keyof Protections, condition: object): object {
  return { $or: [{ $not: [protection(name)] }, condition] };
}

/** Whether as many stop losses as the guard counts, within its window, still lock; in an expression. */
function isGuardLocked(stopLosses: string, now: number): object {
  const times = { $ifNull: [stopLosses, []] };
  const [count, window, lock] = [protection('guardStopLosses'), protection('guardWindowMs'), protection('guardLockMs')];
  const end = { $arrayElemAt: ['$$times', '$$last'] };
  const begin = { $arrayElemAt: ['$$times', { $subtract: ['$$last', { $subtract: ['$$count', 1] }] }] };
  const locks = { $and: [{ $lte: [{ $subtract: [end, begin] }, window] }, { $gt: [{ $add: [end, lock] }, now] }] };
  const lasts = { $range: [{ $subtract: ['$$count', 1] }, { $size: '$$times' }] };
  return {
    $let: { vars: { times, count }, in: { $anyElementTrue: [{ $map: { input: lasts, as: 'last', in: locks } }] } },
  };
}

/** Returns the change of a hold. */
export function holdUpdate({ orderId, mode, side, lamports, totalLamports, address }: HoldRequest, now: number) {
  const book = `books.${mode}`;
  return {
    $set: {
      [`${book}.holds.${orderId}`]: { lamports, totalLamports, address },
      updatedAt: new Date(now),
      ...(side === 'buy' ? { [`${book}.lastBuyAt`]: now } : {}),
    },
    $inc: {
      [`${book}.usedLamports`]: lamports,
      [`${book}.heldLamports`]: lamports,
      [`${book}.reservedLamports`]: totalLamports,
      version: 1,
    },
  };
}

/**
 * Orders and positions whose end is remembered for each user: far more than may still be in the hands of a worker that was
 * cut off.
 */
export const ENDED_KEPT = 400;

/** Returns the change by which a hold ends. `hold`: null for an order that never had one. */
export function settleUpdate(
  { orderId, mode }: Pick<HoldRequest, 'orderId' | 'mode'>,
  hold: Hold | null,
  { spentLamports, realisedLamports, walletLamports, position, stopLossAt }: Settlement,
  now: number,
) {
  const book = `books.${mode}`;
  const held = hold ?? { lamports: 0, totalLamports: 0 };
  const [holdPath, tokenPath] = [`${book}.holds.${orderId}`, `${book}.tokens.${position?.id}`];
  const unset = { ...(hold ? { [holdPath]: 1 } : {}), ...(position && !position.isOpen ? { [tokenPath]: 1 } : {}) };
  const positions = position && { [`${book}.positions`]: position.id };
  const ended = position && !position.isOpen ? [orderId, position.id] : [orderId];
  return {
    ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
    $inc: {
      [`${book}.usedLamports`]: spentLamports - held.lamports,
      [`${book}.heldLamports`]: -held.lamports,
      [`${book}.reservedLamports`]: -held.totalLamports,
      [`${book}.realisedLamports`]: realisedLamports,
      ...(mode === 'paper' ? { 'paper.lamports': walletLamports } : {}),
      version: 1,
    },
    ...(positions ? (position.isOpen ? { $addToSet: positions } : { $pull: positions }) : {}),
    $push: {
      ended: { $each: ended, $slice: -ENDED_KEPT },
      ...(stopLossAt === null ? {} : { [`${book}.stopLossesAt`]: withTime(stopLossAt) }),
    },
    $set: { updatedAt: new Date(now), ...(position?.isOpen ? { [tokenPath]: position.address } : {}) },
  };
}

const withTime = (at: number) => ({ $each: [at], $sort: 1, $slice: -STOP_LOSSES_KEPT });
