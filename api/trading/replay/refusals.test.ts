import { expect, test } from 'vitest';
import type { Change } from '../core/model.ts';
import { createCore } from '../core/step.ts';
import { DETECTED } from '../core/testing/any-conditions.ts';
import { accountOf, factsOf, planOf } from '../core/testing/core-scene.ts';
import { refusalsOf } from './refusals.ts';
import { createReplay } from './run.ts';
import { begin, launch, taskOf, tick, USER } from './testing/run-scene.ts';

test('counts each token that no plan bought once, and those from before the hour among them [T-38]', () => {
  const own: Change[] = [
    { type: 'account', account: accountOf({ userId: USER }) },
    { type: 'plan', plan: planOf({ id: 'careful', userId: USER, maxRisk: 5, activeSince: DETECTED - 60_000 }) },
    { type: 'plan', plan: planOf({ id: 'deep', userId: USER, minLiquidity: 1_000, activeSince: DETECTED - 60_000 }) },
  ];
  const task = { ...taskOf(), plans: { type: 'recorded', orders: [], from: DETECTED, ids: [] } } as const;
  const replay = createReplay(task, createCore);
  replay.take({ ...begin, changes: [...begin.changes, ...own, ...launch('earlier', -10_000)] });
  const safe: Change = { type: 'facts', facts: factsOf({ address: 'safe', risk: 3 }) };
  replay.take(tick(100, [...launch('new', 90), ...launch('safe', 95), safe]));
  const { detectedAt } = replay.desk.markets;
  const answers = [...replay.reasons].map(([address, byPlan]) => [
    address,
    Object.fromEntries([...byPlan].map(([planId, reason]) => [planId, reason?.code ?? 'bought'])),
  ]);
  expect(answers).toEqual([
    ['earlier', { careful: 'high-risk', deep: 'low-liquidity' }],
    ['new', { careful: 'high-risk', deep: 'low-liquidity' }],
    ['safe', { careful: 'bought', deep: 'low-liquidity' }],
  ]);
  const { refusals, refusedEarlier } = refusalsOf(replay.reasons, (address) => (detectedAt(address) ?? 0) < DETECTED);
  expect(refusals.map(({ count }) => count)).toEqual([2]);
  expect(refusedEarlier).toBe(1);
});
