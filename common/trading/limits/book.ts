import { DAY } from '../../time.ts';
import { STOP_LOSSES_KEPT } from './protections.ts';

/** Money of one mode, as the account reserves it for orders. */
export interface MoneyBook {
  /** UTC day of the next two figures, `YYYY-MM-DD`. */
  day: string;
  /** Purchases of the day and the holds of orders that are not over. */
  usedLamports: number;
  /** Realised on the day; negative is a loss. */
  realisedLamports: number;
  /** Part of `usedLamports` held by orders that are not over. */
  heldLamports: number;
  /** Most that leaves the wallet by orders that are not over, with all costs. */
  reservedLamports: number;
  /**
   * Addresses of the tokens that take a place: one entry for each open position, and one for each purchase that is not over. A token
   * takes one place, for any number of entries.
   */
  places: readonly string[];
  /** Time of the last hold of a purchase, epoch ms; 0 without one. */
  lastBuyAt: number;
  /** Times of sales by a stop loss, epoch ms, oldest first, at most `STOP_LOSSES_KEPT`. */
  stopLossesAt: readonly number[];
}

/** Money that is reserved for an order, in lamports; zeros for a sale. */
export interface Hold {
  /** Counted against the budget of the day: the amount of the purchase. */
  lamports: number;
  /** Most that leaves the wallet, with all costs. */
  totalLamports: number;
  /** Address of the token that is bought, which takes a place; null for a sale. */
  address: string | null;
}

/** What an order has moved when it is over; zeros when nothing was traded. */
export interface Settlement {
  /** Spent by a purchase, without the other costs. */
  spentLamports: number;
  realisedLamports: number;
  /** Change of the wallet with all costs, which play money follows. */
  walletLamports: number;
  /** A position that the order opened or closed. */
  position: { id: string; address: string; isOpen: boolean } | null;
  /** Time of a sale by a stop loss, epoch ms; null otherwise. */
  stopLossAt: number | null;
}

export const nothingSettled: Settlement = {
  spentLamports: 0,
  realisedLamports: 0,
  walletLamports: 0,
  position: null,
  stopLossAt: null,
};

/** Returns the book of an account that has not traded on a day (UTC, `YYYY-MM-DD`) or before. */
export const emptyBook = (day: string): MoneyBook => ({
  day,
  usedLamports: 0,
  realisedLamports: 0,
  heldLamports: 0,
  reservedLamports: 0,
  places: [],
  lastBuyAt: 0,
  stopLossesAt: [],
});

/** The last day that was asked for, since most questions are about the same one: its number and its text. */
let lastDay = { number: 0, text: '1970-01-01' };

/** Returns the day (UTC) of a time in epoch ms, `YYYY-MM-DD`. */
export function dayOf(now: number): string {
  const number = Math.floor(now / DAY);
  if (number !== lastDay.number) lastDay = { number, text: new Date(now).toISOString().slice(0, 10) };
  return lastDay.text;
}

/** Returns the number of places that are taken: tokens with an open position, or with a purchase that is not over. */
export function placesTaken({ places }: Pick<MoneyBook, 'places'>): number {
  return new Set(places).size;
}

type DayFigures = Pick<MoneyBook, 'day' | 'usedLamports' | 'heldLamports' | 'realisedLamports'>;

/**
 * Returns a book as it is on a day: a later day begins with the holds of orders that are not over. A clock that was set back
 * begins no new day.
 */
export function bookOn<Book extends DayFigures>(book: Book, day: string): Book {
  return book.day >= day ? book : { ...book, day, usedLamports: book.heldLamports, realisedLamports: 0 };
}

/** Returns a book with the hold of a purchase. */
export function afterHold(before: MoneyBook, { lamports, totalLamports, address }: Hold, now: number): MoneyBook {
  const book = bookOn(before, dayOf(now));
  return {
    ...book,
    usedLamports: book.usedLamports + lamports,
    heldLamports: book.heldLamports + lamports,
    reservedLamports: book.reservedLamports + totalLamports,
    places: address === null ? book.places : [...book.places, address],
    lastBuyAt: now,
  };
}

/** Returns a book after the end of an order. `hold`: null for an order that never had one. */
export function afterSettle(before: MoneyBook, hold: Hold | null, settlement: Settlement, now: number): MoneyBook {
  const book = bookOn(before, dayOf(now));
  const { spentLamports, realisedLamports, position, stopLossAt } = settlement;
  const freed = without(book.places, [hold?.address ?? null, position?.isOpen === false ? position.address : null]);
  return {
    ...book,
    usedLamports: book.usedLamports + spentLamports - (hold?.lamports ?? 0),
    heldLamports: book.heldLamports - (hold?.lamports ?? 0),
    reservedLamports: book.reservedLamports - (hold?.totalLamports ?? 0),
    places: position?.isOpen ? [...freed, position.address] : freed,
    realisedLamports: book.realisedLamports + realisedLamports,
    stopLossesAt: stopLossAt === null ? book.stopLossesAt : withStopLoss(book.stopLossesAt, stopLossAt),
  };
}

/** Returns places without one entry of each of some addresses. */
function without(places: readonly string[], addresses: readonly (string | null)[]): readonly string[] {
  return addresses.reduce<readonly string[]>((left, address) => {
    const index = address === null ? -1 : left.indexOf(address);
    return index < 0 ? left : left.toSpliced(index, 1);
  }, places);
}

function withStopLoss(times: readonly number[], at: number): number[] {
  return [...times, at].toSorted((one, other) => one - other).slice(-STOP_LOSSES_KEPT);
}
