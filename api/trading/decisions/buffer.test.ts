import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../common/time.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { Decided } from '../core/model.ts';
import { createDecisionBuffer, type OrderAnswer, PENDING_OF_PLAN_MAX } from './buffer.ts';
import { NEW_OF_PLAN_MAX } from './pending-counts.ts';
import { AT, decided, PLAN, tokenAddress, USER } from './testing/decided.ts';

const order = (fields: Partial<OrderAnswer> = {}): OrderAnswer => ({
  userId: USER,
  planId: PLAN,
  plan: { kind: 'rule', name: 'Cheap' },
  address: tokenAddress(1),
  symbol: 'SYM',
  orderId: 'c'.repeat(24),
  outcome: 'ordered',
  reason: null,
  at: AT + 1,
  ...fields,
});
const address = (number: number) => `T${number}`;

test('answers to a pair become one, with the last reason, and count its token once', () => {
  const buffer = createDecisionBuffer();
  buffer.note(decided());
  buffer.note(decided({ at: AT + 5, reason: reason('low-liquidity', { liquidityLamports: 1, limitLamports: 2 }) }));
  buffer.note(decided({ address: tokenAddress(2) }));
  const { answers, counts, last } = buffer.take();
  expect(answers.map(({ outcome, count, firstAt, at }) => [outcome, count, firstAt, at])).toEqual([
    ['not-bought', 1, AT, AT + 5],
    ['not-bought', 1, AT, AT],
  ]);
  expect(answers[0]?.reason?.code).toBe('low-liquidity');
  expect(counts).toMatchObject([{ considered: 2, dropped: 0, lost: { 'high-risk': 1, 'low-liquidity': 1 } }]);
  expect(last.map(({ address: of }) => of)).toEqual([tokenAddress(2)]);
  expect(buffer.take()).toEqual({ id: expect.any(String), answers: [], counts: [], last: [] });
});

const low = (liquidityLamports: number) => reason('low-liquidity', { liquidityLamports, limitLamports: 9 });
/** A further answer to the pair of `decided()`. */
const later = (after: number, why: Reason, fields: Partial<Decided> = {}) =>
  decided({ at: AT + after, reason: why, isFirst: false, ...fields });

test('other figures of the same reason replace the earlier ones, and are no further answer', () => {
  const buffer = createDecisionBuffer();
  buffer.note(decided({ reason: low(1) }));
  buffer.take();
  buffer.note(later(SECOND, low(5), { before: 'low-liquidity' }));
  const { answers, counts, last } = buffer.take();
  expect(answers).toMatchObject([{ reason: low(5), at: AT + SECOND, count: 0, isRepeat: true }]);
  expect(counts).toMatchObject([{ considered: 0, dropped: 0, lost: { 'low-liquidity': 0 } }]);
  expect(last).toEqual(answers);
  // It stays another token's answer that is the plan's last one.
  buffer.note(decided({ address: tokenAddress(2), at: AT + 2 * SECOND }));
  buffer.note(later(3 * SECOND, low(7), { before: 'low-liquidity' }));
  buffer.note(later(4 * SECOND, low(7), { before: 'low-liquidity' }));
  const both = buffer.take();
  expect(both.answers.map(({ at, isRepeat }) => [at - AT, isRepeat])).toEqual([
    [2 * SECOND, false],
    [3 * SECOND, true],
  ]);
  expect(both.last.map(({ address: of }) => of)).toEqual([tokenAddress(2)]);
});

test('a token counts under its last reason only, in the hour of its first answer, and under none once it is bought', () => {
  const buffer = createDecisionBuffer();
  const hourly = () => buffer.take().counts.map(({ hour, lost }) => [hour, lost]);
  const hour = AT - (AT % HOUR);
  buffer.note(decided({ reason: reason('no-depth') }));
  expect(hourly()).toEqual([[hour, { 'no-depth': 1 }]]);
  buffer.note(later(HOUR, low(1)));
  expect(hourly()).toEqual([[hour, { 'no-depth': -1, 'low-liquidity': 1 }]]);
  buffer.note(decided({ reason: null, at: AT + HOUR, isFirst: false }));
  expect(hourly()).toEqual([[hour, { 'low-liquidity': -1 }]]);
  // A pair that has left the memory: the core knows its last reason.
  buffer.note(later(1, low(1), { address: tokenAddress(2), before: 'stale' }));
  expect(buffer.take().counts).toMatchObject([{ considered: 0, lost: { stale: -1, 'low-liquidity': 1 } }]);
});

test('limits of the account that take turns with each sale are no new answers before it is time', () => {
  const buffer = createDecisionBuffer();
  const [places, balance] = [reason('open-positions', { open: 3, limit: 3 }), reason('balance')];
  buffer.note(decided({ reason: places }));
  buffer.take();
  for (let after = 25; after < SECOND / 4; after += 25) {
    buffer.note(later(after, after % 50 === 0 ? places : balance));
  }
  expect(buffer.take()).toMatchObject({ answers: [], counts: [], last: [] });
  // The last one before it was another limit, which counts once any answer shows that it is time.
  buffer.note(later(SECOND / 4 - 1, balance));
  buffer.note(decided({ address: tokenAddress(2), at: AT + SECOND / 4 }));
  const { answers, counts } = buffer.take();
  expect(answers).toContainEqual(expect.objectContaining({ address: tokenAddress(1), reason: balance }));
  expect(counts).toMatchObject([{ considered: 1, lost: { 'open-positions': -1, balance: 1, 'high-risk': 1 } }]);
});

test('an answer without a reason is an order on its way, and its end without a trade is tried', () => {
  const buffer = createDecisionBuffer();
  buffer.note(decided({ reason: null }));
  expect(buffer.take().answers[0]).toMatchObject({ outcome: 'ordered', orderId: null });
  buffer.noteOrder(order());
  const failure = reason('slippage', { slippageBps: 500 });
  buffer.note(decided({ reason: failure, isFinal: true, at: AT + 9 }));
  expect(buffer.take().answers).toMatchObject([{ outcome: 'tried', reason: failure, orderId: order().orderId }]);
  // In the other order of arrival as well.
  buffer.note(decided({ address: tokenAddress(2), reason: null }));
  buffer.noteOrder(order({ address: tokenAddress(2), outcome: 'tried', reason: failure }));
  buffer.note(decided({ address: tokenAddress(2), reason: failure, isFinal: true }));
  expect(buffer.take().answers).toMatchObject([{ outcome: 'tried', plan: { name: 'Cheap' } }]);
});

test('a refused order is no longer on its way', () => {
  const buffer = createDecisionBuffer();
  buffer.note(decided({ reason: null }));
  buffer.note(decided({ reason: reason('database-away') }));
  expect(buffer.take().answers).toMatchObject([{ outcome: 'not-bought', reason: { code: 'database-away' } }]);
});

test('while the database is slow, answers beyond the limit are counted without details, and orders are not', () => {
  const buffer = createDecisionBuffer();
  const hours = 2;
  for (let number = 0; number < PENDING_OF_PLAN_MAX + 500; number += 1) {
    // Within two hours, so that the limit of an hour is not what drops them.
    buffer.note(decided({ address: address(number), at: AT + (number % hours) * HOUR }));
  }
  buffer.noteOrder(order({ address: address(1e6), outcome: 'bought' }));
  const batch = buffer.take();
  expect(batch.answers).toHaveLength(PENDING_OF_PLAN_MAX + 1);
  expect(batch.answers.at(-1)?.outcome).toBe('bought');
  const sum = (of: 'considered' | 'dropped') => batch.counts.reduce((total, counts) => total + counts[of], 0);
  expect([sum('considered'), sum('dropped')]).toEqual([PENDING_OF_PLAN_MAX + 500, 500]);
});

test('answers that the core leaves out are counted with their reasons', () => {
  const buffer = createDecisionBuffer();
  buffer.note(decided());
  const { planId, userId } = decided();
  buffer.leaveOut({ planId, userId, at: AT + 1, answers: 7, tokens: 3, reasons: { 'high-risk': 2, stale: 1 } });
  const lost = { 'high-risk': 3, stale: 1 };
  expect(buffer.take().counts).toMatchObject([{ considered: 4, dropped: 7, lost }]);
});

test('new entries of a plan are limited within an hour, and counted on', () => {
  const buffer = createDecisionBuffer();
  let stored = 0;
  const batch = () => {
    const taken = buffer.take();
    stored += taken.answers.length;
    return taken.counts.reduce((total, { dropped }) => total + dropped, 0);
  };
  let dropped = 0;
  for (let number = 0; number < NEW_OF_PLAN_MAX + 10; number += 1) {
    buffer.note(decided({ address: address(number) }));
    if (number % 100 === 0) dropped += batch();
  }
  dropped += batch();
  expect([stored, dropped]).toEqual([NEW_OF_PLAN_MAX, 10]);
  // A purchase is stored whatever came before.
  buffer.note(decided({ address: address(1e6), reason: null }));
  buffer.note(decided({ address: address(1e6 + 1), at: AT + HOUR }));
  expect(buffer.take().answers.map(({ outcome }) => outcome)).toEqual(['ordered', 'not-bought']);
});
