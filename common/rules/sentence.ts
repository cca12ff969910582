import { sentence } from '../strategies/sentence.ts';
import { ruleAsPlan } from './conditions.ts';
import type { Rule } from './model.ts';

/** When a rule would buy, in one plain sentence. Whether it is active is not told. */
export function ruleSentence(rule: Pick<Rule, 'buyAmount' | 'minLiquidity' | 'maxRisk'>): string {
  return sentence({ ...ruleAsPlan({ ...rule, isActive: true }, true), buyAmount: rule.buyAmount });
}
