import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { createCore } from './core.ts';
import type { Change, Core } from './model.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { anyEvents, anyMarket, anyPlans, timed } from './testing/any-market.ts';

/** Markets per run. */
const RUNS = rounds(1_000);
const TIMEOUT = 30_000 + RUNS * 200;

test('a core that begins with a snapshot, gone through the tape, decides as the one that it was taken of [T12]', {
  timeout: TIMEOUT,
}, () => {
  let compared = 0;
  fc.assert(
    fc.property(anyPlans, anyEvents, fc.nat(40), (plans, events, cut) => {
      // As in a replay, the plans come at the begin.
      const lists = ['anna', 'ben'].map((userId): Change => ({ type: 'lists', userId, white: [], black: [] }));
      const begun: Change[] = [...anyMarket, ...lists, ...plans.map((plan): Change => ({ type: 'plan', plan }))];
      const core = createCore();
      core.step(DETECTED - 1, []);
      let copy: Core | null = null;
      const later = Array.from({ length: 10 }, (_, index) => ({ now: DETECTED + (index + 2) * 60_000, changes: [] }));
      for (const [index, { now, changes }] of [...timed(events, true), ...later].entries()) {
        const effects = core.step(now, changes);
        if (copy) {
          expect(copy.step(now, changes)).toEqual(effects);
          compared += effects.length;
        } else expect(effects).toEqual([]);
        if (index !== cut) continue;
        // Only the plans are new to it.
        core.step(now, [...anyMarket, ...lists]);
        copy = createCore();
        const snapshot: Change[] = JSON.parse(JSON.stringify(core.snapshot()));
        expect(copy.step(now, [...snapshot, ...begun])).toEqual(core.step(now, begun));
      }
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS);
});
