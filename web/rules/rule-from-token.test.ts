import { expect, test } from 'vitest';
import { ruleInputSchema } from '../../common/rules/model.ts';
import { token } from '../live/testing/build.ts';
import { ruleFromToken } from './rule-from-token.ts';

test.each([
  [3.28, 41, 3.2, 45],
  [0.3, 40, 0.3, 40],
  [0.7, 0, 0.7, 0],
  [0, 100, 0, 100],
  [5_000, 99.1, 10, 100],
  [null, null, 0.5, 30],
])('a token with %j SOL of liquidity and a risk of %j %% makes a rule from %d SOL and up to %d %%', (...values) => {
  const [currentLiquidity, scamProbability, minLiquidity, maxRisk] = values;
  const made = ruleFromToken(token(1, { currentLiquidity, scamProbability }));
  expect(made).toMatchObject({ name: 'Like T1', minLiquidity, maxRisk });
  expect(ruleInputSchema.parse(made)).toEqual(made);
});

test('a rule made from a token without a symbol uses its name, of any length', () => {
  expect(ruleFromToken(token(1, { symbol: null })).name).toBe('Like Token 1');
  expect(ruleInputSchema.safeParse(ruleFromToken(token(1, { symbol: 'A'.repeat(500) }))).success).toBe(true);
});
