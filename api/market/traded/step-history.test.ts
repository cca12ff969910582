import { expect, test } from 'vitest';
import { createStepHistory, STEPS_KEPT, STEPS_KEPT_FOR } from './step-history.ts';

const stepAt = (at: number, address = 'coin') =>
  ({ address, at, price: at, reserves: null, stage: 'curve', venue: 'curve' }) as const;

test('returns the step in force at a time, and those after it', () => {
  const history = createStepHistory();
  for (const at of [10, 20, 20, 30]) history.add(stepAt(at));
  expect([9, 10, 19, 20, 99].map((at) => history.at('coin', at)?.at ?? null)).toEqual([null, 10, 10, 20, 30]);
  expect(history.since('coin', 10).map(({ at }) => at)).toEqual([20, 20, 30]);
  expect(history.since('other', 0)).toEqual([]);
  expect(history.at('other', 99)).toBeNull();
  history.forget('coin');
  expect([history.has('coin'), history.at('coin', 99)]).toEqual([false, null]);
});

test('keeps a bounded number of steps, the newest ones', () => {
  const history = createStepHistory();
  for (let at = 0; at < 10 * STEPS_KEPT; at += 1) history.add(stepAt(at));
  const kept = history.since('coin', Number.NEGATIVE_INFINITY);
  expect(kept.length).toBeLessThan(2 * STEPS_KEPT);
  expect(kept.length).toBeGreaterThanOrEqual(STEPS_KEPT);
  expect(kept.at(-1)?.at).toBe(10 * STEPS_KEPT - 1);
});

test('clears tokens that do not trade any more up to the step in force', () => {
  const history = createStepHistory();
  for (let at = 0; at < 100; at += 1) history.add(stepAt(at, 'idle'));
  for (let count = 0; count < 10_000; count += 1) history.add(stepAt(200 + STEPS_KEPT_FOR));
  expect(history.since('idle', Number.NEGATIVE_INFINITY).map(({ at }) => at)).toEqual([99]);
});
