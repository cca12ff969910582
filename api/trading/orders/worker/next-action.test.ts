import { describe, expect, test } from 'vitest';
import { reason } from '../../../../common/trading/reasons.ts';
import { attemptRecord, exitRecord, orderRecord } from '../../testing/order-record.ts';
import type { AttemptRecord } from '../model.ts';
import { leastOf, slippageOf } from '../terms.ts';
import { ATTEMPTS_MS, FRESH_MS, nextAction, OVERDUE_MS, STUCK_MS } from './next-action.ts';

const out = attemptRecord();
const over = (fields: Partial<AttemptRecord> = {}) =>
  attemptRecord({ outcome: 'reverted', failure: reason('slippage', { slippageBps: 500 }), ...fields });
const sent = (...attempts: AttemptRecord[]) => orderRecord({ status: 'sent', attempts });
const exit = (...attempts: AttemptRecord[]) => exitRecord({ status: 'sent', attempts });
const typeOf = (...of: Parameters<typeof nextAction>) => nextAction(...of).type;

describe('a purchase', () => {
  test('is held, attempted and looked for', () => {
    expect(typeOf(orderRecord(), 0)).toBe('hold');
    expect(typeOf(orderRecord({ status: 'held' }), 0)).toBe('attempt');
    expect(typeOf(sent(out), 0)).toBe('look');
  });

  test('is cancelled when it could not be sent in time', () => {
    for (const status of ['created', 'held'] as const) {
      expect(typeOf(orderRecord({ status }), FRESH_MS)).not.toBe('cancel');
      expect(nextAction(orderRecord({ status }), FRESH_MS + 1)).toEqual({ type: 'cancel', reason: reason('too-old') });
    }
  });

  test('is attempted again after a passing failure, as long as it is young', () => {
    expect(typeOf(sent(over()), ATTEMPTS_MS)).toBe('attempt');
    expect(typeOf(sent(over()), ATTEMPTS_MS + 1)).toBe('give-up');
    expect(typeOf(sent(over({ outcome: 'expired', failure: reason('expired') })), 0)).toBe('attempt');
  });

  test('is given up after a lasting failure, with that reason', () => {
    const failure = reason('chain-error');
    expect(nextAction(sent(over({ failure })), 0)).toEqual({ type: 'give-up', reason: failure });
  });

  test('is given up after three attempts, with the fees that they cost', () => {
    const attempts = ['a', 'b', 'c'].map((signature) => over({ signature, feeLamports: 5_000 }));
    const failure = reason('tries-used', { tries: 3, feesLamports: 15_000 });
    expect(nextAction(sent(...attempts), 0)).toEqual({ type: 'give-up', reason: failure });
  });

  test('is not attempted again after a stop', () => {
    expect(typeOf({ ...sent(over()), noMore: true }, 0)).toBe('give-up');
  });

  test('has no second attempt beside one that is out, however long', () => {
    expect(typeOf(sent(out), STUCK_MS + 1)).toBe('look');
  });

  test('is overdue once, and then followed to its end', () => {
    expect(typeOf(sent(out), OVERDUE_MS + 1)).toBe('overdue');
    expect(typeOf({ ...sent(out), status: 'unknown' }, OVERDUE_MS + 1)).toBe('look');
    expect(typeOf({ ...sent(over()), status: 'unknown' }, 0)).toBe('give-up');
  });

  test('is finished when it is over', () => {
    for (const status of ['failed', 'cancelled'] as const) expect(typeOf(orderRecord({ status }), 0)).toBe('finish');
    expect(typeOf({ ...sent(over({ outcome: 'landed' })), status: 'confirmed' }, 0)).toBe('finish');
  });
});

describe('a sale of everything by an exit', () => {
  test('is made however late it is', () => {
    expect(typeOf(exitRecord(), 10 * FRESH_MS)).toBe('hold');
    expect(typeOf(exit(over()), 10 * ATTEMPTS_MS)).toBe('attempt');
  });

  test('gets a second attempt when the first one is stuck, and no third one beside both', () => {
    expect(typeOf(exit(out), STUCK_MS)).toBe('look');
    expect(typeOf(exit(out), STUCK_MS + 1)).toBe('attempt');
    const second = attemptRecord({ signature: 'b', signedAt: STUCK_MS });
    expect(typeOf(exit(out, second), 3 * STUCK_MS)).toBe('look');
    expect(typeOf({ ...exit(out), mode: 'paper', cluster: null }, STUCK_MS + 1)).toBe('look');
  });

  test('follows its second attempt when the first one has landed', () => {
    const landed = {
      ...exit(over({ outcome: 'landed' }), attemptRecord({ signature: 'b' })),
      status: 'confirmed',
    } as const;
    expect(typeOf(landed, 2 * STUCK_MS)).toBe('look');
  });

  test('gives way with every attempt', () => {
    const attempts = [out, out, out];
    const slippages = [0, 1, 2].map((count) =>
      slippageOf(exitRecord({ slippageBps: 1_500, attempts: attempts.slice(0, count) })),
    );
    expect(slippages).toEqual([1_500, 3_000, 5_000]);
    expect(slippageOf(exitRecord({ slippageBps: 4_000, attempts: [out] }))).toBe(5_000);
  });

  test('has the bound of its present quote, and a purchase at least its first one', () => {
    expect(leastOf(exit(out), 80n)).toBe(80n);
    expect(leastOf(sent(out), 80n)).toBe(95n);
    expect(leastOf(sent(out), 99n)).toBe(99n);
    expect(leastOf(orderRecord(), 80n)).toBe(80n);
    expect(leastOf(orderRecord({ least: '90' }), 80n)).toBe(90n);
    expect(leastOf(orderRecord({ least: '97', attempts: [out] }), 80n)).toBe(97n);
  });
});
