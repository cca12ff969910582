import { expect, test } from 'vitest';
import { ruleInputSchema } from '../../common/rules/model.ts';
import { token } from '../live/testing/build.ts';
import { ruleFromToken } from './rule-from-token.ts';

test.each([
  [
    { currentLiquidity: 3.28, scamProbability: 41 },
    { minLiquidity: 3.2, maxRisk: 45 },
  ],
  [
    { currentLiquidity: 0.3, scamProbability: 40 },
    { minLiquidity: 0.3, maxRisk: 40 },
  ],
  [
    { currentLiquidity: 0.7, scamProbability: 0 },
    { minLiquidity: 0.7, maxRisk: 0 },
  ],
  [
    { currentLiquidity: 0, scamProbability: 100 },
    { minLiquidity: 0, maxRisk: 100 },
  ],
  [
    { currentLiquidity: 5_000, scamProbability: 99.1 },
    { minLiquidity: 10, maxRisk: 100 },
  ],
  [
    { currentLiquidity: null, scamProbability: null },
    { minLiquidity: 0.5, maxRisk: 30 },
  ],
])('a rule made from a token with %j has the limits %j', (fields, limits) => {
  const made = ruleFromToken(token(1, fields));
  expect(made).toMatchObject({ name: 'Like T1', ...limits });
  expect(ruleInputSchema.parse(made)).toEqual(made);
});

test('a rule made from a token without a symbol uses its name, of any length', () => {
  expect(ruleFromToken(token(1, { symbol: null })).name).toBe('Like Token 1');
  expect(ruleInputSchema.safeParse(ruleFromToken(token(1, { symbol: 'A'.repeat(500) }))).success).toBe(true);
});
