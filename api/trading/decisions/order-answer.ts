import type { DecisionOutcome } from '../../../common/decisions/model.ts';
import type { OrderStatus } from '../../../common/trading/machine.ts';
import type { DomainEvents } from '../../events/events.ts';
import type { OrderAnswer } from './buffer.ts';

const outcomes: Record<OrderStatus, DecisionOutcome> = {
  created: 'ordered',
  held: 'ordered',
  sent: 'ordered',
  unknown: 'ordered',
  confirmed: 'bought',
  failed: 'tried',
  cancelled: 'tried',
};

const KEY = /^buy:([0-9a-f]{24}):/;

/** Returns the progress of an order as an answer of its plan; null for an order that no plan has made. */
export function answerOfOrder({ userId, key, order }: DomainEvents['order-changed']): OrderAnswer | null {
  const { cause, token, status, failure, times, id } = order;
  const planId = KEY.exec(key)?.[1];
  if (planId === undefined || (cause.kind !== 'rule' && cause.kind !== 'strategy')) return null;
  const { held, signed, sent, decided, created } = times;
  const outcome = outcomes[status];
  return {
    userId,
    planId,
    plan: { kind: cause.kind, name: cause.name ?? '' },
    address: token.address,
    symbol: token.symbol,
    orderId: id,
    outcome,
    reason: outcome === 'tried' ? failure : null,
    at: Date.parse(decided ?? sent ?? signed ?? held ?? created),
  };
}
