import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../common/testing/effort.ts';
import {
  afterHold,
  afterSettle,
  emptyBook,
  type MoneyBook,
  nothingSettled,
} from '../../../common/trading/limits/book.ts';
import type { BookRecord } from './model.ts';
import { type HoldRequest, heldBook, moneyBookOf, settledBook } from './money-hold.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const YESTERDAY = '2026-11-22';

const anyOrder = fc.record({
  address: fc.constantFrom('a', 'b', 'c'),
  lamports: fc.nat(1_000),
  isHeld: fc.boolean(),
  isSettled: fc.boolean(),
  isStopLoss: fc.boolean(),
  position: fc.constantFrom('p1', 'p2', 'p3', null),
});

/** A book whose places are in an order that means nothing. */
const sorted = (book: MoneyBook): MoneyBook => ({ ...book, places: book.places.toSorted() });

test('a stored book has the figures and places that the limits compute, over any course of orders [O8]', () => {
  fc.assert(
    fc.property(fc.array(anyOrder, { maxLength: 12 }), (orders) => {
      const { places: _, stopLossesAt: __, ...figures } = emptyBook(YESTERDAY);
      let record: BookRecord = { ...figures, holds: {}, positions: [], tokens: {}, stopLossesAt: [] };
      let pure = emptyBook(YESTERDAY);
      for (const [at, { address, lamports, isHeld, isSettled, isStopLoss, position: id }] of orders.entries()) {
        const hold = { lamports, totalLamports: lamports + 5, address };
        const orderId = `order ${at}`;
        const request: HoldRequest = { ...hold, orderId, mode: 'local', side: 'buy', isAutomatic: false };
        if (isHeld) {
          record = heldBook(record, request, NOW);
          pure = afterHold(pure, hold, NOW);
        }
        expect(sorted(moneyBookOf(record))).toEqual(sorted(pure));
        if (!isSettled) continue;
        // An order opens a position that is closed, and closes one that is open.
        const known = id === null ? undefined : record.tokens?.[id];
        const position = id && { id, address: known ?? address, isOpen: known === undefined };
        const settlement = {
          ...nothingSettled,
          spentLamports: lamports,
          realisedLamports: -lamports,
          position: position || null,
          stopLossAt: isStopLoss ? NOW - at : null,
        };
        record = settledBook(record, orderId, settlement, NOW);
        pure = afterSettle(pure, isHeld ? hold : null, settlement, NOW);
        expect(sorted(moneyBookOf(record))).toEqual(sorted(pure));
      }
    }),
    { numRuns: rounds(300) },
  );
});
