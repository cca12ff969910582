import type { Decision, LastAnswer } from '../../../common/decisions/model.ts';
import type { DecisionRecord, LastDecisionRecord } from './record.ts';

/** Returns an answer as REST and events carry it. */
export function presentDecision(record: DecisionRecord): Decision {
  const { _id, planId, plan, address, symbol, outcome, reason, waits, orderId, firstAt, lastAt, count, isResumed } =
    record;
  return {
    id: _id.toHexString(),
    plan: { id: planId.toHexString(), kind: plan.kind, name: plan.name },
    address,
    symbol,
    outcome,
    reason,
    waits: waits ?? null,
    orderId: orderId?.toHexString() ?? null,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
    // An order may have been noted before the answer that made it.
    count: Math.max(1, count),
    isResumed,
  };
}

/** Returns the newest answer of a plan as REST carries it. */
export function presentLast({ address, symbol, outcome, reason, waits, lastAt }: LastDecisionRecord): LastAnswer {
  return { address, symbol, outcome, reason, waits: waits ?? null, lastAt: lastAt.toISOString() };
}
