import { describe, expect, test } from 'vitest';
import { wouldBuy } from '../strategies/conditions.ts';
import { candidate, DETECTED, later, point } from '../strategies/testing/histories.ts';
import { ruleAsPlan, ruleSentence } from './conditions.ts';
import { defaultRule } from './model.ts';

const rule = { ...defaultRule, minLiquidity: 1, maxRisk: 30 };

describe('auto-buy rules', () => {
  const decide = (liquidity: number | null, risk: number | null, buyUnknownRisk = false) => {
    const history = { detectedAt: DETECTED, points: [point(0, { liquidity })] };
    return wouldBuy(ruleAsPlan({ ...rule, buyUnknownRisk }, true), { ...candidate, risk }, history, later(0));
  };

  test('buys at once with enough liquidity and a low enough risk', () => {
    expect(decide(1, 30)).toBe('buy');
    expect(decide(0.99, 30)).toBe('low-liquidity');
    expect(decide(1, 31)).toBe('high-risk');
    expect(decide(null, 30)).toBe('unknown-liquidity');
    expect(decide(1, null)).toBe('unknown-risk');
    expect(decide(1, null, true)).toBe('buy');
    expect(decide(1, 31, true)).toBe('high-risk');
  });

  test('buys nothing while the rule is inactive or the user has no wallet', () => {
    const history = { detectedAt: DETECTED, points: [point(0, { liquidity: 5 })] };
    expect(wouldBuy(ruleAsPlan({ ...rule, isActive: false }, true), candidate, history, later(0))).toBe('inactive');
    expect(wouldBuy(ruleAsPlan(rule, false), candidate, history, later(0))).toBe('no-wallet');
  });

  test('describes the rule in a sentence', () => {
    expect(ruleSentence(rule)).toBe(
      'Buys 0.1 SOL of a token as soon as it is detected, if it has at least 1 SOL of liquidity and at most 30% risk.',
    );
    expect(ruleSentence({ ...rule, buyUnknownRisk: true })).toMatch(/at most 30% or an unknown risk\.$/);
  });
});
