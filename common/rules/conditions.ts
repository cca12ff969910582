import type { BuyPlan } from '../strategies/conditions.ts';
import type { Rule } from './model.ts';

/**
 * An auto-buy rule as a strategy: it buys from detection on, as soon as the liquidity is known and at least `minLiquidity`
 * and the risk known and at most `maxRisk`.
 */
export function ruleAsPlan(rule: Pick<Rule, 'minLiquidity' | 'maxRisk' | 'isActive'>, hasWallet: boolean): BuyPlan {
  return {
    type: 'time_based',
    configuration: { timeConfig: { option: 'buy_immediately' } },
    minLiquidity: rule.minLiquidity,
    maxScamProbability: rule.maxRisk,
    isActive: rule.isActive,
    hasWallet,
  };
}
