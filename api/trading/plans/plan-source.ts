import { type Connection, type Model, Types } from 'mongoose';
import { ruleAsPlan } from '../../../common/rules/conditions.ts';
import { lamportsToSol, solOrNull } from '../../../common/tokens/units.ts';
import { BPS_PER_PERCENT } from '../../../common/trading/amounts.ts';
import type { ExitPlan } from '../../../common/trading/exits.ts';
import { type RuleRecord, ruleModel } from '../../rules/model.ts';
import { presentRule } from '../../rules/present.ts';
import { type StrategyRecord, strategyModel } from '../../strategies/model.ts';
import type { UserDocument } from '../../users/user-documents.ts';
import type { CorePlan } from './core/model.ts';

/** An active rule or strategy, with its own exits. */
export type ActivePlan = Omit<CorePlan, 'exits'> & { ownExits: ExitPlan };

/** Reads active rules and strategies. Ids are hexadecimal. */
export interface PlanSource {
  /** Returns the users with active plans. */
  userIds(): Promise<string[]>;
  /** Returns the active plans of a user. */
  ofUser(userId: string): Promise<ActivePlan[]>;
}

export function createPlanSource(connection: Connection): PlanSource {
  const [rules, strategies] = [ruleModel(connection), strategyModel(connection)];
  return {
    async userIds() {
      // Index: isActive where active.
      const usersOf = (model: Model<UserDocument>) => model.distinct('userId', { isActive: true });
      const found = await Promise.all([usersOf(rules), usersOf(strategies)]);
      return [...new Set(found.flat().map((id) => id.toHexString()))];
    },
    async ofUser(userId) {
      // Index: userId, place; a user has 100 of each at most.
      const active = { userId: new Types.ObjectId(userId), isActive: true, activeSince: { $exists: true } };
      const [ownRules, ownStrategies] = await Promise.all([
        rules.find(active).lean<RuleRecord[]>(),
        strategies.find(active).lean<StrategyRecord[]>(),
      ]);
      return [...ownRules.map(planOfRule), ...ownStrategies.map(planOfStrategy)];
    },
  };
}

function planOfRule(record: RuleRecord): ActivePlan {
  const { type, configuration } = ruleAsPlan(presentRule(record), true);
  return {
    ...base(record),
    kind: 'rule',
    conditions: { type, configuration },
    minLiquidity: lamportsToSol(record.minLiquidityLamports),
    maxRisk: record.maxRisk,
    ownExits: { kind: 'rule' },
  };
}

function planOfStrategy(record: StrategyRecord): ActivePlan {
  const { type, configuration, minLiquidityLamports, stopLoss, takeProfit } = record;
  return {
    ...base(record),
    kind: 'strategy',
    conditions: { type, configuration },
    minLiquidity: solOrNull(minLiquidityLamports),
    maxRisk: record.maxScamProbability,
    ownExits: { kind: 'strategy', stopLoss, takeProfit },
  };
}

function base({
  _id,
  userId,
  name,
  buyLamports,
  maxSlippage,
  buyUnknownRisk,
  buyWithinSeconds,
  activeSince = Number.POSITIVE_INFINITY,
}: RuleRecord | StrategyRecord) {
  return {
    id: _id.toHexString(),
    userId: userId.toHexString(),
    name,
    lamports: buyLamports,
    slippageBps: Math.round(maxSlippage * BPS_PER_PERCENT),
    buyUnknownRisk,
    buyWithinSeconds,
    activeSince,
  };
}
