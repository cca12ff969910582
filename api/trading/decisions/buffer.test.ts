import { expect, test } from 'vitest';
import { HOUR, SECOND } from '../../../common/time.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { Decided } from '../plans/core/model.ts';
import { createDecisionBuffer, NEW_OF_PLAN_MAX, type OrderAnswer } from './buffer.ts';
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
  buffer.note(later(5, reason('low-liquidity', { liquidityLamports: 1, limitLamports: 2 }), { before: 'high-risk' }));
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
  const both = buffer.take();
  expect(both.answers.map(({ at, isRepeat }) => [at - AT, isRepeat])).toEqual([
    [2 * SECOND, false],
    [3 * SECOND, true],
  ]);
  expect(both.last.map(({ address: of }) => of)).toEqual([tokenAddress(2)]);
});

test('a token counts under its last reason only, and under none once it is bought', () => {
  const buffer = createDecisionBuffer();
  const hourly = () => buffer.take().counts.map(({ hour, lost }) => [hour, lost]);
  const hour = AT - (AT % HOUR);
  buffer.note(decided({ reason: reason('no-depth') }));
  expect(hourly()).toEqual([[hour, { 'no-depth': 1 }]]);
  buffer.note(later(HOUR, low(1), { before: 'no-depth' }));
  expect(hourly()).toEqual([[hour + HOUR, { 'no-depth': -1, 'low-liquidity': 1 }]]);
  buffer.note(decided({ reason: null, at: AT + HOUR, isFirst: false, before: 'low-liquidity' }));
  expect(hourly()).toEqual([[hour + HOUR, { 'low-liquidity': -1 }]]);
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

test('while the database is away, answers beyond the limit are counted without details, and orders are not', () => {
  const buffer = createDecisionBuffer();
  // Of several plans and hours, so that neither limit of an hour is what drops them.
  for (let number = 0; number < 20_500; number += 1) {
    const planId = (number % 50).toString(16).padStart(24, '0');
    buffer.note(decided({ planId, address: address(number), at: AT + (number % 2) * HOUR }));
  }
  buffer.noteOrder(order({ address: address(1e6), outcome: 'bought' }));
  const batch = buffer.take();
  expect(batch.answers).toHaveLength(20_001);
  expect(batch.answers.at(-1)?.outcome).toBe('bought');
  const sum = (of: 'considered' | 'dropped') => batch.counts.reduce((total, counts) => total + counts[of], 0);
  expect([sum('considered'), sum('dropped')]).toEqual([20_500, 500]);
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
