import type { BuyPlan } from '../strategies/conditions.ts';
import { sentence } from '../strategies/sentence.ts';
import type { Rule } from './model.ts';

type RuleLimits = Pick<Rule, 'minLiquidity' | 'maxRisk' | 'buyUnknownRisk' | 'buyWithinSeconds'>;

/**
 * Returns an auto-buy rule as a strategy: it buys from detection on, as soon as the liquidity is known and at least
 * `minLiquidity`, and the risk is at most `maxRisk`, or unknown where the rule allows it; until its time limit, if it has one.
 */
export function ruleAsPlan(rule: RuleLimits & Pick<Rule, 'isActive'>, hasWallet: boolean): BuyPlan {
  return {
    type: 'time_based',
    configuration: { timeConfig: { option: 'buy_immediately' } },
    minLiquidity: rule.minLiquidity,
    maxScamProbability: rule.maxRisk,
    buyUnknownRisk: rule.buyUnknownRisk,
    buyWithinSeconds: rule.buyWithinSeconds,
    isActive: rule.isActive,
    hasWallet,
  };
}

/** Describes when a rule buys, in one sentence, whether or not it is active. */
export function ruleSentence(rule: RuleLimits & Pick<Rule, 'buyAmount'>): string {
  return sentence({ ...ruleAsPlan({ ...rule, isActive: true }, true), buyAmount: rule.buyAmount });
}
