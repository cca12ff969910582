import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../common/testing/effort.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { Change, Core, CoreOrder, Effect } from './model.ts';
import { createCore } from './step.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { anyMarket, anyPlans, anyPoorEvents, timed } from './testing/any-market.ts';

/** Markets per run. */
const RUNS = rounds(1_000);
const TIMEOUT = 30_000 + RUNS * 200;

type Outcome = 'refused' | 'stored' | 'held' | 'bought' | 'missed';
const anyOutcomes = fc.array(fc.constantFrom<Outcome>('refused', 'stored', 'held', 'bought', 'missed'), {
  minLength: 1,
});

/** Settles each purchase by the next of the outcomes, in the step after it. */
function settlements(effects: readonly Effect[], outcomes: readonly Outcome[], from: number): Change[] {
  const bought = effects.flatMap((effect) => (effect.type === 'buy' ? effect.buy.key : []));
  return bought.map((key, index) => {
    const outcome = outcomes[(from + index) % outcomes.length] ?? 'stored';
    const state = outcome === 'bought' || outcome === 'missed' ? 'over' : outcome;
    const order: CoreOrder = { key, state, hasBought: outcome === 'bought', reason: null };
    return { type: 'order', order: outcome === 'refused' ? { ...order, reason: reason('node-away') } : order };
  });
}

/** A core from a snapshot that went through the tape, as JSON. */
function rebuilt(core: Core, now: number): Core {
  const copy = createCore();
  const changes: Change[] = JSON.parse(JSON.stringify(core.snapshot()));
  expect(copy.step(now, changes)).toEqual([]);
  return copy;
}

test('a core that is built from a snapshot goes on as the one that the snapshot was taken of [T12]', {
  timeout: TIMEOUT,
}, () => {
  let compared = 0;
  fc.assert(
    fc.property(anyPlans, anyPoorEvents, anyOutcomes, fc.nat(40), (plans, events, outcomes, cut) => {
      const core = createCore();
      core.step(DETECTED - 1, [...anyMarket, ...plans.map((plan): Change => ({ type: 'plan', plan }))]);
      let copy: Core | null = null;
      let settled: Change[] = [];
      const later = Array.from({ length: 10 }, (_, index) => ({ now: DETECTED + (index + 2) * 60_000, changes: [] }));
      for (const [index, { now, changes }] of [...timed(events, true), ...later].entries()) {
        const all = [...settled, ...changes];
        const effects = core.step(now, all);
        if (copy) {
          expect(copy.step(now, all)).toEqual(effects);
          compared += effects.length;
        }
        if (index === cut) copy = rebuilt(core, now);
        settled = settlements(effects, outcomes, index);
      }
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS);
});
