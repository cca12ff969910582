import { reason } from '../../../../common/trading/reasons.ts';
import type { Decided } from '../../plans/core/model.ts';

/** In the future: MongoDB deletes answers that have expired by the clock of the machine. */
export const AT = Date.UTC(2099, 8, 1, 12, 30);
export const PLAN = 'a'.repeat(24);
export const USER = 'b'.repeat(24);

/** Returns the address of a token by its number. */
export function tokenAddress(number: number): string {
  return `${number}`.padStart(3, '0').replaceAll('0', 'z').padStart(44, 'T');
}

/** Returns an answer: too much risk, unless `fields` gives another one. */
export function decided(fields: Partial<Decided> = {}): Decided {
  return {
    planId: PLAN,
    plan: { kind: 'rule', name: 'Cheap' },
    userId: USER,
    address: tokenAddress(1),
    symbol: 'SYM',
    reason: reason('high-risk', { riskPercent: 62, limitPercent: 30 }),
    waits: null,
    before: null,
    isFirst: true,
    at: AT,
    wasMet: true,
    isResumed: false,
    isFinal: false,
    ...fields,
  };
}
