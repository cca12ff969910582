import fc from 'fast-check';
import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { rounds } from '../../../common/testing/effort.ts';
import { DAY, MINUTE } from '../../../common/time.ts';
import { defaultLimits } from '../../../common/trading/account.ts';
import {
  afterHold,
  afterSettle,
  bookOn,
  dayOf,
  type MoneyBook,
  nothingSettled,
} from '../../../common/trading/limits/book.ts';
import { holdRefusal } from '../../../common/trading/limits/refusal.ts';
import { testConnection } from '../../testing/database.ts';
import { tradingAccountModel } from './model.ts';
import { type HoldRequest, limitedAccountOf, moneyBookOf } from './money-hold.ts';
import { createAccountStore } from './store.ts';

const SOL = 1_000_000_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const store = createAccountStore(tradingAccountModel(await testConnection()));

const id = () => new Types.ObjectId().toHexString();

const anyToken = fc.constantFrom('a', 'b', 'c', 'd', 'e');
/** Open positions with their tokens, which those of earlier versions lack, and orders on their way: purchases and sales. */
const anyPlaces = fc
  .record({
    positions: fc.dictionary(fc.constantFrom('p1', 'p2', 'p3', 'p4'), fc.option(anyToken, { nil: null })),
    holds: fc.dictionary(fc.constantFrom('o1', 'o2', 'o3'), fc.option(anyToken, { nil: null })),
  })
  .map(({ positions, holds }) => ({
    positions: Object.keys(positions),
    tokens: Object.fromEntries(Object.entries(positions).filter(([, address]) => address !== null)),
    holds: Object.fromEntries(
      Object.entries(holds).map(([order, address]) => [order, { lamports: 0, totalLamports: 0, address }]),
    ),
  }));
const anyFigures = fc.record({
  day: fc.constantFrom(dayOf(NOW), dayOf(NOW - DAY), dayOf(NOW + DAY)),
  heldLamports: fc.nat(3).map((tenths) => (tenths * SOL) / 10),
  spent: fc.nat(22).map((tenths) => (tenths * SOL) / 10),
  realisedLamports: fc.integer({ min: -20, max: 5 }).map((tenths) => (tenths * SOL) / 10),
  reservedLamports: fc.nat(SOL / 2),
  lastBuyAt: fc.constantFrom(0, NOW - MINUTE - 1, NOW - MINUTE, NOW - MINUTE + 1, NOW, NOW + 1),
  stopLossesAt: fc
    .array(
      fc.nat(5).map((minutes) => NOW - minutes * 5 * MINUTE),
      { maxLength: 4 },
    )
    .map((times) => times.toSorted((one, other) => one - other)),
});
const anyBook = fc.tuple(anyFigures, anyPlaces).map(([figures, places]) => ({ ...figures, ...places }));
const anyAccount = fc.record({
  book: anyBook,
  paper: fc.nat(3 * SOL),
  limits: fc.record({
    perTradeLamports: fc.constantFrom(SOL / 10, SOL, 2 * SOL),
    maxOpen: fc.constantFrom(2, 4, 100),
    cooldownMs: fc.constantFrom(0, 0, 0, MINUTE),
  }),
  isStopped: fc.nat(9).map((tenth) => tenth === 0),
  // Missing in accounts of earlier versions, in part or at all.
  protections: fc.option(
    fc.record(
      {
        openPositions: fc.boolean(),
        dayLoss: fc.boolean(),
        cooldown: fc.boolean(),
        stopLossGuard: fc.boolean(),
        guardStopLosses: fc.constantFrom(2, 3),
        guardWindowMs: fc.constantFrom(5 * MINUTE, 10 * MINUTE),
        guardLockMs: fc.constantFrom(5 * MINUTE, 10 * MINUTE, 15 * MINUTE),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  ),
});
const anyRequest = fc.record({
  mode: fc.constantFrom('paper' as const, 'local' as const),
  lamports: fc.constantFrom(...Array.from({ length: 9 }, () => SOL / 100), SOL / 10, SOL + 1),
  address: fc.constantFrom('a', 'b', 'c', 'd'),
  isAutomatic: fc.nat(3).map((quarter) => quarter > 0),
  walletLamports: fc.option(fc.nat(3 * SOL), { nil: null }),
});

/** A book whose places are in an order that means nothing. */
const sorted = (book: MoneyBook): MoneyBook => ({ ...book, places: book.places.toSorted() });

test('the atomic update refuses and writes what the pure limits compute, for any account [T-25, O8]', async () => {
  const end = fc.record({
    spent: fc.nat(SOL / 10),
    realised: fc.integer({ min: -SOL, max: SOL }),
    isStopLoss: fc.boolean(),
    opensPosition: fc.boolean(),
  });
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      anyAccount,
      anyRequest,
      end,
      async (account, asked, { spent, realised, isStopLoss, opensPosition }) => {
        const userId = id();
        const { mode } = asked;
        const { spent: before, ...book } = account.book;
        const fields = { ...book, usedLamports: before + book.heldLamports };
        await store.set(
          userId,
          {
            ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`books.${mode}.${name}`, value])),
            limits: { ...defaultLimits, ...account.limits },
            stopped: account.isStopped ? { at: new Date(NOW), by: 'user' } : null,
            'paper.lamports': account.paper,
            ...(account.protections === undefined ? {} : { protections: account.protections }),
          },
          NOW,
        );
        const request: HoldRequest = { ...asked, orderId: id(), side: 'buy', totalLamports: asked.lamports + 5_000 };
        const stored = await store.get(userId, NOW);
        const refusal = holdRefusal(limitedAccountOf(stored, request, 0), request, NOW);
        const pure = moneyBookOf(stored.books[mode]);
        const result = await store.hold(userId, request, NOW);
        expect(result.ok ? null : result.reason).toEqual(refusal);
        if (refusal) codes.add(refusal.code);
        const held = refusal ? bookOn(pure, dayOf(NOW)) : afterHold(pure, request, NOW);
        expect(sorted(moneyBookOf((await store.get(userId, NOW)).books[mode]))).toEqual(sorted(held));
        const settlement = {
          ...nothingSettled,
          spentLamports: spent,
          realisedLamports: realised,
          position: opensPosition ? { id: id(), address: asked.address, isOpen: true } : null,
          stopLossAt: isStopLoss ? NOW - MINUTE : null,
        };
        await store.settle(userId, request, settlement, NOW);
        const settled = afterSettle(held, refusal ? null : request, settlement, NOW);
        expect(sorted(moneyBookOf((await store.get(userId, NOW)).books[mode]))).toEqual(sorted(settled));
      },
    ),
    { numRuns: Math.max(300, rounds(300)) },
  );
  // Every condition was met by some account.
  expect([...codes].toSorted()).toEqual([
    ...['balance', 'cooldown', 'day-budget', 'day-loss', 'open-positions', 'per-trade', 'stop-loss-guard', 'stopped'],
  ]);
}, 120_000);
