import type { Connection } from 'mongoose';
import { RULES_MAX, type Rule, type RuleInput } from '../../common/rules/model.ts';
import type { Clock } from '../../common/time.ts';
import { solToLamports } from '../../common/tokens/units.ts';
import type { EventSink } from '../events/bus.ts';
import { activeSinceAfter } from '../plans/active-since.ts';
import { ensureIndexes } from '../platform/database.ts';
import { type Change, createUserDocuments, type UserDocuments } from '../users/user-documents.ts';
import { type RuleFields, ruleModel } from './model.ts';
import { presentRule } from './present.ts';

/** Auto-buy rules, at most 100 per user. */
export type Rules = UserDocuments<RuleFields, Rule>;

/** Fields that decide which tokens a rule buys. */
const deciding = ['minLiquidityLamports', 'maxRisk', 'maxSlippage', 'buyUnknownRisk', 'buyWithinSeconds'] as const;

/** Opens the rules of this database and creates their indexes. */
export async function openRules(deps: { connection: Connection; bus: EventSink; clock: Clock }): Promise<Rules> {
  const { connection, bus, clock } = deps;
  const model = ruleModel(connection);
  await ensureIndexes(model);
  return createUserDocuments<RuleFields, Rule>({
    model,
    max: RULES_MAX,
    present: presentRule,
    derive: (before, saved, now) => activeSinceAfter<RuleFields>(before, saved, deciding, now),
    onSaved: (userId, item) => bus.emit('plan-changed', { userId, change: { subject: 'rules', op: 'saved', item } }),
    onDeleted: (userId, id) =>
      bus.emit('plan-changed', { userId, change: { subject: 'rules', op: 'deleted', item: { id } } }),
    clock,
  });
}

/** Converts the dialog's fields for storage. */
export function ruleFields({ buyAmount, minLiquidity, ...same }: RuleInput): RuleFields {
  return { ...same, buyLamports: solToLamports(buyAmount), minLiquidityLamports: solToLamports(minLiquidity) };
}

/** Converts the changed fields for storage. */
export function ruleChange({ buyAmount, minLiquidity, ...same }: Change<RuleInput>): Change<RuleFields> {
  return {
    ...same,
    buyLamports: buyAmount === undefined ? undefined : solToLamports(buyAmount),
    minLiquidityLamports: minLiquidity === undefined ? undefined : solToLamports(minLiquidity),
  };
}
