import { expect, test } from 'vitest';
import { defaultRule, ruleInputSchema, ruleSchema, startingPoints } from './model.ts';

test('has the specified fields and defaults [S3-26]', () => {
  expect(defaultRule).toEqual({
    name: '',
    buyAmount: 0.1,
    minLiquidity: 0.5,
    maxRisk: 30,
    maxSlippage: 5,
    isActive: true,
    buyUnknownRisk: false,
    buyWithinSeconds: null,
  });
  expect(new Set(Object.keys(ruleSchema.shape))).toEqual(
    new Set([...Object.keys(defaultRule), 'createdAt', 'id', 'updatedAt']),
  );
});

test('offers presets that are valid rules', () => {
  for (const rule of startingPoints) expect(ruleInputSchema.parse(rule)).toEqual(rule);
  expect(ruleInputSchema.safeParse(defaultRule).success).toBe(false);
});
