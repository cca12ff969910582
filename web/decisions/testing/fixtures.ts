import type { Decision, Explanation } from '../../../common/decisions/model.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { id } from '../../testing/page.ts';

export const ADDRESS = 'So11111111111111111111111111111111111111112';

/** Returns an answer of the plan with the id 1: too much risk, unless `fields` has another one. */
export function decision(number: number, fields: Partial<Decision> = {}): Decision {
  return {
    id: id(number),
    plan: { id: id(1), kind: 'rule', name: 'Rule 1' },
    address: ADDRESS,
    symbol: `SYM${number}`,
    outcome: 'not-bought',
    reason: reason('high-risk', { riskPercent: 62, limitPercent: 30 }),
    waits: null,
    firstAt: '2026-02-03T04:05:06.000Z',
    lastAt: '2026-02-03T04:05:06.000Z',
    count: 1,
    orderId: null,
    isResumed: false,
    ...fields,
  };
}

/** Returns what a rule waits for: nothing but its conditions, unless `fields` has more. */
export function explanation(number: number, fields: Partial<Explanation> = {}): Explanation {
  return {
    plan: { id: id(number), kind: 'rule', name: `Rule ${number}` },
    isActive: true,
    reason: reason('waiting'),
    needsAll: true,
    progress: [],
    last: null,
    ...fields,
  };
}
