import { defaultRule, type RuleInput, ruleMaxRisk, ruleMinLiquidity } from '../../common/rules/model.ts';
import type { Range } from '../../common/settings/model.ts';
import type { Token } from '../../common/tokens/model.ts';
import { nameOf, symbolOf } from '../tokens/text.ts';
import { onStep } from '../ui/slider.tsx';

/** Lets a value that lies on a step count as on it: 0.3 / 0.1 is a little less than 3. */
const BINARY_NOISE = 1e-9;

/**
 * A rule that would buy tokens like this one: at least its liquidity, down to a step, and at most its risk, up to a step.
 * What is not known of the token is as in any new rule.
 */
export function ruleLike(
  token: Pick<Token, 'address' | 'name' | 'symbol' | 'currentLiquidity' | 'scamProbability'>,
): RuleInput {
  const { currentLiquidity: liquidity, scamProbability: risk } = token;
  return {
    ...defaultRule,
    name: `Like ${symbolOf(token) ?? nameOf(token)}`,
    ...(liquidity === null ? {} : { minLiquidity: down(liquidity, ruleMinLiquidity) }),
    ...(risk === null ? {} : { maxRisk: up(risk, ruleMaxRisk) }),
  };
}

function down(value: number, range: Range): number {
  return onStep(Math.floor(value / range.step + BINARY_NOISE) * range.step, range);
}

function up(value: number, range: Range): number {
  return onStep(Math.ceil(value / range.step - BINARY_NOISE) * range.step, range);
}
