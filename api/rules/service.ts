import type { Connection } from 'mongoose';
import { RULES_MAX, type Rule, type RuleInput } from '../../common/rules/model.ts';
import type { Clock } from '../../common/time.ts';
import { solToLamports } from '../../common/tokens/units.ts';
import { ensureIndexes } from '../platform/database.ts';
import { type Change, createOwned, type Owned } from '../users/user-documents.ts';
import type { TellUser } from '../users/user-events.ts';
import { type RuleFields, ruleModel } from './model.ts';
import { presentRule } from './present.ts';

/** Auto-buy rules, at most 100 per user. */
export type Rules = Owned<RuleFields, Rule>;

/** Opens the rules of this database and creates their indexes. */
export async function openRules(deps: { connection: Connection; tell: TellUser; clock: Clock }): Promise<Rules> {
  const { connection, tell, clock } = deps;
  const model = ruleModel(connection);
  await ensureIndexes(model);
  return createOwned<RuleFields, Rule>({
    model,
    max: RULES_MAX,
    present: presentRule,
    tell: {
      saved: (userId, item) => tell.data(userId, { subject: 'rules', op: 'saved', item }),
      deleted: (userId, id) => tell.data(userId, { subject: 'rules', op: 'deleted', item: { id } }),
    },
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
