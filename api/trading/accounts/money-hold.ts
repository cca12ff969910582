import type { TradingMode } from '../../../common/trading/account.ts';
import {
  afterHold,
  afterSettle,
  type Hold,
  type MoneyBook,
  type Settlement,
} from '../../../common/trading/limits/book.ts';
import { defaultProtections, type Protections } from '../../../common/trading/limits/protections.ts';
import type { LimitedAccount, PurchaseNeed } from '../../../common/trading/limits/refusal.ts';
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
export function moneyBookOf({ positions, tokens, holds, stopLossesAt, ...book }: BookRecord): MoneyBook {
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

/** Returns a book after a hold. A sale only notes that it is held. `now`: epoch ms. */
export function heldBook(book: BookRecord, { orderId, side, ...request }: HoldRequest, now: number): BookRecord {
  const { lamports, totalLamports, address } = request;
  const hold: Hold = { lamports, totalLamports, address };
  const money = side === 'buy' ? moneyOf(afterHold(moneyBookOf(book), hold, now)) : {};
  return { ...book, ...money, holds: { ...book.holds, [orderId]: hold } };
}

/**
 * Returns a book after the end of an order, whose hold it no longer has. `settlement.position`: null for one whose own end is
 * recorded already.
 */
export function settledBook(book: BookRecord, orderId: string, settlement: Settlement, now: number): BookRecord {
  const { [orderId]: hold = null, ...holds } = book.holds;
  const money = moneyOf(afterSettle(moneyBookOf(book), hold, settlement, now));
  const after = { ...book, ...money, holds };
  const { position } = settlement;
  if (position === null) return after;
  return position.isOpen ? withPosition(after, position) : withoutPosition(after, position.id);
}

function withPosition(book: BookRecord, { id, address }: { id: string; address: string }): BookRecord {
  const positions = book.positions.includes(id) ? book.positions : [...book.positions, id];
  return { ...book, positions, tokens: { ...book.tokens, [id]: address } };
}

/** Returns a book without an open position. */
function withoutPosition(book: BookRecord, id: string): BookRecord {
  const { [id]: _, ...tokens } = book.tokens;
  return { ...book, positions: book.positions.filter((open) => open !== id), tokens };
}

/** Returns the figures of a computed book; its places are stored as holds and positions. */
function moneyOf({ places: _, stopLossesAt, ...figures }: MoneyBook) {
  return { ...figures, stopLossesAt: [...stopLossesAt] };
}

/**
 * Orders and positions whose end is remembered for each user: far more than may still be in the hands of a worker that was
 * cut off.
 */
export const ENDED_KEPT = 400;
