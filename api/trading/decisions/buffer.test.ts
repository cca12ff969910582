import { expect, test } from 'vitest';
import { HOUR } from '../../../common/time.ts';
import { reason } from '../../../common/trading/reasons.ts';
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

test('answers to a pair become one, with the last reason and the number of changes', () => {
  const buffer = createDecisionBuffer();
  buffer.note(decided());
  buffer.note(decided({ at: AT + 5, reason: reason('low-liquidity', { liquidityLamports: 1, limitLamports: 2 }) }));
  buffer.note(decided({ address: tokenAddress(2) }));
  const { answers, counts, last } = buffer.take();
  expect(answers.map(({ outcome, count, firstAt, at }) => [outcome, count, firstAt, at])).toEqual([
    ['not-bought', 2, AT, AT + 5],
    ['not-bought', 1, AT, AT],
  ]);
  expect(answers[0]?.reason?.code).toBe('low-liquidity');
  expect(counts).toMatchObject([{ considered: 2, dropped: 0, reasons: { 'high-risk': 2, 'low-liquidity': 1 } }]);
  expect(last.map(({ address: of }) => of)).toEqual([tokenAddress(2)]);
  expect(buffer.take()).toEqual({ id: expect.any(String), answers: [], counts: [], last: [] });
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
  buffer.leaveOut({ planId, userId, at: AT + 1, tokens: 3, reasons: { 'high-risk': 2, 'low-liquidity': 5 } });
  const reasons = { 'high-risk': 3, 'low-liquidity': 5 };
  expect(buffer.take().counts).toMatchObject([{ considered: 4, dropped: 7, reasons }]);
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
