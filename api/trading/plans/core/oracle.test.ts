import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { createCore } from './core.ts';
import type { Change, Effect } from './model.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { anyEvents, anyMarket, anyPlans, timed } from './testing/any-market.ts';
import { createNaiveCore } from './testing/naive-core.ts';

/** Markets per run. */
const RUNS = rounds(1_000);
const TIMEOUT = 30_000 + RUNS * 200;

const purchases = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === 'buy' ? { key: effect.buy.key, at: effect.buy.observedAt } : []));
const sorted = (made: { key: string; at: number }[]) =>
  made.toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));

test('the core buys what the conditions themselves would, at the same moments [T6]', { timeout: TIMEOUT }, () => {
  let bought = 0;
  fc.assert(
    fc.property(anyPlans, anyEvents, fc.boolean(), (plans, events, mayShare) => {
      const core = createCore();
      const naive = createNaiveCore(plans);
      const switched: Change[] = plans.map((plan) => ({ type: 'plan', plan }));
      core.step(DETECTED - 1, [...anyMarket, ...switched]);
      naive.step(DETECTED - 1, anyMarket);
      for (const { now, changes } of [...timed(events, mayShare), { now: DETECTED + 600_000, changes: [] }]) {
        const made = purchases(core.step(now, changes));
        expect(sorted(made)).toEqual(sorted(naive.step(now, changes)));
        bought += made.length;
      }
    }),
    { numRuns: RUNS },
  );
  expect(bought).toBeGreaterThan(RUNS);
});
