import type { BuyPlan } from '../strategies/conditions.ts';
import { sentence } from '../strategies/sentence.ts';
import type { Rule } from './model.ts';

/**
 * Returns an auto-buy rule as a strategy: it buys from detection on, as soon as the liquidity is known and at least
 * `minLiquidity`, and the risk is at most `maxRisk`, or unknown where the rule allows it.
 */
export function ruleAsPlan(
  rule: Pick<Rule, 'minLiquidity' | 'maxRisk' | 'buyUnknownRisk' | 'isActive'>,
  hasWallet: boolean,
): BuyPlan {
  return {
    type: 'time_based',
    configuration: { timeConfig: { option: 'buy_immediately' } },
    minLiquidity: rule.minLiquidity,
    maxScamProbability: rule.maxRisk,
    buyUnknownRisk: rule.buyUnknownRisk,
    isActive: rule.isActive,
    hasWallet,
  };
}

/** Describes when a rule buys, in one sentence, whether or not it is active. */
export function ruleSentence(rule: Pick<Rule, 'buyAmount' | 'minLiquidity' | 'maxRisk' | 'buyUnknownRisk'>): string {
  return sentence({ ...ruleAsPlan({ ...rule, isActive: true }, true), buyAmount: rule.buyAmount });
}
