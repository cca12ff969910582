import { expect, test } from 'vitest';
import { reason } from '../../../../common/trading/reasons.ts';
import { createCore } from './core.ts';
import type { Change, Effect } from './model.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { factsOf, launched, planOf, priceOf, scene, tokenOf } from './testing/core-scene.ts';

const answersIn = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === 'decided' ? effect.decided : []));

test('a launch is reported once a step, with the figures of its end and without what lasted no longer', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf({ minLiquidity: 1.5 }) }]);
  const [token, facts] = launched('token', DETECTED + 1);
  const at = (liquidity: number): Change => ({ type: 'price', price: priceOf({ liquidity, at: DETECTED + 1 }) });
  if (!token || !facts) return expect.fail();
  const figures = { liquidityLamports: 900_000_000, limitLamports: 1_500_000_000 };
  expect(answersIn(core.step(DETECTED + 1, [token, at(0), facts, at(0.4), at(0.9)]))).toMatchObject([
    { reason: reason('low-liquidity', figures), before: null, isFirst: true },
  ]);
});

test('a token that is refused on is reported again with its figures, the less often the older it is', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf({ minLiquidity: 1, maxRisk: 50 }) }]);
  core.step(DETECTED, [
    { type: 'token', token: tokenOf() },
    { type: 'facts', facts: factsOf({ risk: 20 }) },
    { type: 'price', price: priceOf({ liquidity: 0 }) },
  ]);
  let shown = 0;
  const reported: number[] = [];
  for (let age = 100; age <= 60_000; age += 100) {
    const now = DETECTED + age;
    const price = priceOf({ liquidity: age / 100_000, at: now });
    for (const { reason: why, before, isFirst } of answersIn(core.step(now, [{ type: 'price', price }]))) {
      expect([why?.code, before, isFirst]).toEqual(['low-liquidity', 'low-liquidity', false]);
      shown = (why?.numbers.liquidityLamports ?? 0) / 10_000;
      expect(shown).toBe(age);
      reported.push(age);
    }
    if (age > 2_000) expect(shown).toBeGreaterThan((2 / 3) * age - 100);
  }
  expect(reported.length).toBeLessThan(20);
  // Another limit is the first to refuse it now.
  const later = DETECTED + 120_000;
  const risky: Change = { type: 'facts', facts: factsOf({ risk: 82 }) };
  const settled = core.step(later, [risky, { type: 'price', price: priceOf({ liquidity: 2, at: later }) }]);
  expect(answersIn(settled)).toMatchObject([{ reason: { code: 'high-risk', numbers: { riskPercent: 82 } } }]);
  const low = core.step(later + 90_000, [{ type: 'price', price: priceOf({ liquidity: 0.04, at: later + 90_000 }) }]);
  expect(answersIn(low)).toMatchObject([
    { reason: core.explain('plan', 'token', later + 90_000), before: 'high-risk' },
  ]);
});

test('a token that leaves the blacklist is answered by what it waits for, also while its conditions are not met', () => {
  const core = createCore();
  const timeConfig = { option: 'buy_after_duration', duration: 60 } as const;
  const conditions = { type: 'time_based', configuration: { timeConfig } } as const;
  const plans = [planOf({ id: 'later', conditions }), planOf({ id: 'now', maxRisk: 5 })];
  core.step(DETECTED, [...scene({ isStopped: true }), ...plans.map((plan) => ({ type: 'plan' as const, plan }))]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  const listed = (now: number, black: string[]) =>
    answersIn(core.step(now, [{ type: 'lists', userId: 'user', white: [], black }])).map((answer) => [
      answer.planId,
      answer.before,
      answer.reason?.code,
    ]);
  expect(listed(DETECTED + 2, ['token'])).toEqual([
    ['later', null, 'blacklisted'],
    ['now', 'stopped', 'blacklisted'],
  ]);
  expect(listed(DETECTED + 3, [])).toEqual([
    ['later', 'blacklisted', 'waiting'],
    ['now', 'blacklisted', 'stopped'],
  ]);
});

test('a token is not reported as too late when a limit refused it while there was time', () => {
  const core = createCore();
  const plan = planOf({ minLiquidity: 20, buyWithinSeconds: 60 });
  core.step(DETECTED, [...scene(), { type: 'plan', plan }]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  const later = DETECTED + 61_001;
  expect(core.step(later, [{ type: 'price', price: priceOf({ liquidity: 50, at: later }) }])).toEqual([]);
  expect(core.explain('plan', 'token', later)).toMatchObject({ code: 'too-late' });
  expect(core.size.candidates).toBe(0);
});
