import { expect, test } from 'vitest';
import { defaultRule, ruleInputSchema, ruleSchema, startingPoints } from './model.ts';

test('a rule has these fields, and a new one these values [S3-26]', () => {
  expect(defaultRule).toEqual({
    name: '',
    buyAmount: 0.1,
    minLiquidity: 0.5,
    maxRisk: 30,
    maxSlippage: 5,
    isActive: true,
  });
  expect(new Set(Object.keys(ruleSchema.shape))).toEqual(
    new Set([...Object.keys(defaultRule), 'createdAt', 'id', 'updatedAt']),
  );
});

test('a starting point is a rule that may be saved as it is', () => {
  for (const rule of startingPoints) expect(ruleInputSchema.parse(rule)).toEqual(rule);
  expect(ruleInputSchema.safeParse(defaultRule).success).toBe(false);
});
