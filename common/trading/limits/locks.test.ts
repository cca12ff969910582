import { describe, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../time.ts';
import { defaultLimits, limitBounds } from '../account.ts';
import { reasonText } from '../reasons.ts';
import { afterSettle, dayOf, emptyBook, type MoneyBook, nothingSettled } from './book.ts';
import { locksOf } from './locks.ts';
import { defaultProtections, type LockKind, lockKinds, type Protections, STOP_LOSSES_KEPT } from './protections.ts';
import { holdRefusal, type LimitedAccount } from './refusal.ts';

const SOL = 1_000_000_000;
const MIDNIGHT = Date.UTC(2026, 10, 23);
const NOW = MIDNIGHT - 10 * 60 * MINUTE;

function account(book: Partial<MoneyBook> = {}, fields: Partial<LimitedAccount> = {}): LimitedAccount {
  return {
    isStopped: false,
    limits: { ...defaultLimits, cooldownMs: MINUTE },
    protections: defaultProtections,
    book: { ...emptyBook(dayOf(NOW)), ...book },
    moneyLamports: null,
    unknownOrders: 0,
    ...fields,
  };
}

const tokens = (count: number) => Array.from({ length: count }, (_, index) => `token ${index}`);
const byHand = { lamports: SOL / 10, totalLamports: SOL / 10, address: 'other', isAutomatic: false };
const byPlan = { ...byHand, isAutomatic: true };
/** Five stop losses within 20 minutes, the last one 2 minutes ago. */
const stopLossesAt = [22, 17, 12, 7, 2].map((minutes) => NOW - minutes * MINUTE);

/** An account that one protection locks, and until when. */
const locked: Record<LockKind, [account: LimitedAccount, until: number | null]> = {
  'open-positions': [account({ places: tokens(10) }), null],
  'day-loss': [account({ realisedLamports: -SOL }), MIDNIGHT],
  cooldown: [account({ lastBuyAt: NOW - 20 * SECOND }), NOW + 40 * SECOND],
  'stop-loss-guard': [account({ stopLossesAt }), NOW + 28 * MINUTE],
  'unknown-orders': [account({}, { unknownOrders: 3 }), null],
};
const switches: Record<LockKind, keyof Protections> = {
  'open-positions': 'openPositions',
  'day-loss': 'dayLoss',
  cooldown: 'cooldown',
  'stop-loss-guard': 'stopLossGuard',
  'unknown-orders': 'unknownOrders',
};

describe.each(lockKinds)('the protection %s', (kind) => {
  const [before, until] = locked[kind];

  test('locks by its name until its time, and no longer when it is switched off [T-25]', () => {
    const [lock, ...others] = locksOf(before, NOW);
    expect(lock).toMatchObject({ kind, until, reason: { code: kind } });
    expect(others).toEqual([]);
    expect(holdRefusal(before, byPlan, NOW)).toEqual(lock?.reason);
    const off = { ...before, protections: { ...defaultProtections, [switches[kind]]: false } };
    expect(locksOf(off, NOW)).toEqual([]);
    expect(holdRefusal(off, byPlan, NOW)).toBeNull();
  });

  test('ends by itself at its time [T-25]', () => {
    if (until === null) return expect(locksOf(before, NOW + DAY)).toHaveLength(1);
    expect(locksOf(before, until - 1)).toHaveLength(1);
    expect(locksOf(before, until)).toEqual([]);
  });
});

test('the stop-loss guard refuses plans, leaves buying by hand, and its sentence shows both [T-26]', () => {
  const [before] = locked['stop-loss-guard'];
  const refusal = holdRefusal(before, byPlan, NOW);
  expect(refusal && reasonText(refusal)).toBe(
    'Automatic buying is locked until 14:28 UTC by the stop-loss guard: 5 stop losses in 30 minutes. You can still buy by hand.',
  );
  expect(holdRefusal(before, byHand, NOW)).toBeNull();
});

test.each([
  ['one too few', stopLossesAt.slice(1), []],
  ['spread over more than the window', [33, 17, 12, 7, 2].map((minutes) => NOW - minutes * MINUTE), []],
  ['exactly the window', [32, 17, 12, 7, 2].map((minutes) => NOW - minutes * MINUTE), [NOW + 28 * MINUTE]],
  ['over since its lock ended', stopLossesAt.map((at) => at - 28 * MINUTE), []],
  ['followed by a later one outside the window', [60, 50, 45, 40, 35, 2].map((at) => NOW - at * MINUTE), []],
  ['prolonged by a sixth one', [...stopLossesAt, NOW - MINUTE], [NOW + 29 * MINUTE]],
])('the guard counts stop losses within its window: %s [T-26]', (_, times, untils) => {
  expect(locksOf(account({ stopLossesAt: times }), NOW).map(({ until }) => until)).toEqual(untils);
});

test('the guard follows its own figures [T-26]', () => {
  const figures = { guardStopLosses: 2, guardWindowMs: 5 * MINUTE, guardLockMs: DAY };
  const before = account({ stopLossesAt }, { protections: { ...defaultProtections, ...figures } });
  expect(locksOf(before, NOW)).toMatchObject([{ until: NOW - 2 * MINUTE + DAY, reason: { numbers: { minutes: 5 } } }]);
});

test('more of an open position needs no place, and without the protection as many places are left as there may be [T-25]', () => {
  const [before] = locked['open-positions'];
  expect(holdRefusal(before, { ...byPlan, address: 'token 3' }, NOW)).toBeNull();
  const off = { ...defaultProtections, openPositions: false };
  const full = account({ places: tokens(limitBounds.maxOpen.max) }, { protections: off });
  expect(holdRefusal(full, byPlan, NOW)).toMatchObject({ code: 'open-positions', numbers: { limit: 100 } });
});

test('several locks are named together, and limits of money are named before them [T-25]', () => {
  const all = account(
    { places: tokens(10), realisedLamports: -SOL, lastBuyAt: NOW, stopLossesAt },
    { unknownOrders: 4 },
  );
  expect(locksOf(all, NOW).map(({ kind }) => kind)).toEqual([...lockKinds]);
  expect(holdRefusal(all, { ...byPlan, lamports: 2 * SOL }, NOW)).toMatchObject({ code: 'per-trade' });
  expect(holdRefusal({ ...all, moneyLamports: 0 }, byPlan, NOW)).toMatchObject({ code: 'open-positions' });
});

test('an account remembers as many stop losses as the largest guard counts, in order of their time', () => {
  const sold = (book: MoneyBook, stopLossAt: number) => afterSettle(book, null, { ...nothingSettled, stopLossAt }, NOW);
  let book = emptyBook(dayOf(NOW));
  for (let at = 0; at < 60; at += 1) book = sold(book, NOW + at);
  book = sold(book, NOW + 30);
  expect(book.stopLossesAt).toHaveLength(STOP_LOSSES_KEPT);
  expect(book.stopLossesAt).toEqual([...book.stopLossesAt].sort((one, other) => one - other));
  expect(book.stopLossesAt.filter((at) => at === NOW + 30)).toHaveLength(2);
});
