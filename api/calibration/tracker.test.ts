import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import type { CoinState } from './case.ts';
import { createTracker, type Tracker } from './tracker.ts';

const BORN = Date.UTC(2026, 8, 1, 12);

function coin(fields: Partial<CoinState> = {}): CoinState {
  return {
    address: 'coin',
    market: 'live',
    createdAt: BORN,
    score: 20,
    coverage: 90,
    growth: 10,
    runner: false,
    mightRun: false,
    liquidity: 10,
    price: 1,
    stage: 'curve',
    complete: true,
    ...fields,
  };
}

/** Plays rounds every second from `from` to `until`, ms after the creation. Returns everything that came of them. */
function play(tracker: Tracker, from: number, until: number) {
  const rounds = [];
  for (let at = from; at <= until; at += SECOND) rounds.push(tracker.round(BORN + at));
  return { ended: rounds.flatMap(({ ended }) => ended), leftOut: rounds.flatMap(({ leftOut }) => leftOut) };
}

test('a coin gives a case at each recorded age, with the extremes of the hour after it', () => {
  const tracker = createTracker(2);
  tracker.update(coin(), BORN);
  play(tracker, 0, 30 * SECOND);
  expect(tracker.takeChanged()).toMatchObject([{ _id: 'coin:30000', rulesVersion: 2, score: 20, liquidity: 10 }]);
  tracker.update(coin({ liquidity: 1.5, price: 0.4, score: 95 }), BORN + 40 * SECOND);
  tracker.update(coin({ liquidity: 12, price: 2.5, score: 95 }), BORN + 50 * SECOND);
  const { ended } = play(tracker, 31 * SECOND, 2 * HOUR + MINUTE);
  expect(ended.map(({ age }) => age)).toEqual([30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR]);
  expect(ended[0]).toMatchObject({ score: 20, lowestLiquidity: 1.5, highestPrice: 2.5 });
  expect(ended[1]).toMatchObject({ score: 95, liquidity: 12, lowestLiquidity: 12, highestPrice: 2.5 });
  expect(tracker.openCases).toBe(0);
});

test('what happens after the hour no longer counts', () => {
  const tracker = createTracker(2);
  tracker.update(coin(), BORN);
  play(tracker, 0, 30 * SECOND);
  const { ended } = play(tracker, 31 * SECOND, 30 * SECOND + HOUR);
  tracker.update(coin({ liquidity: 0 }), BORN + HOUR + MINUTE);
  expect(ended).toMatchObject([{ age: 30 * SECOND, lowestLiquidity: 10 }]);
});

test('leaving the curve is remembered, unless the coin had left it before', () => {
  const tracker = createTracker(2);
  tracker.update(coin(), BORN);
  play(tracker, 0, 30 * SECOND);
  tracker.update(coin({ stage: 'pool' }), BORN + MINUTE);
  const { ended } = play(tracker, MINUTE, 2 * HOUR);
  expect(ended.slice(0, 2)).toMatchObject([
    { stage: 'curve', graduated: true },
    { stage: 'pool', graduated: false },
  ]);
});

describe('no case is opened', () => {
  test.each<[string, Partial<CoinState>, string]>([
    ['with less than 0.5 SOL', { liquidity: 0.49 }, 'small'],
    ['with an unknown liquidity', { liquidity: null }, 'small'],
    ['after a missed trade', { complete: false }, 'incomplete'],
  ])('%s', (_when, fields, reason) => {
    const tracker = createTracker(2);
    tracker.update(coin(fields), BORN);
    expect(play(tracker, 0, MINUTE).leftOut).toMatchObject([{ market: 'live', age: 30 * SECOND, reason }]);
    expect(tracker.openCases).toBe(0);
  });

  test('for an age that is over when the coin is first observed', () => {
    const tracker = createTracker(2);
    tracker.update(coin(), BORN + 3 * MINUTE);
    play(tracker, 3 * MINUTE, 11 * MINUTE);
    expect(tracker.takeChanged().map(({ age }) => age)).toEqual([10 * MINUTE]);
  });

  test('for a coin that is too old', () => {
    const tracker = createTracker(2);
    tracker.update(coin(), BORN + 2 * HOUR);
    expect(tracker.round(BORN + 2 * HOUR)).toEqual({ ended: [], leftOut: [] });
    expect(tracker.openCases).toBe(0);
  });
});

describe('a snapshot is taken once', () => {
  test('although updates of the coin go on after its last age', () => {
    const tracker = createTracker(2);
    const leftOut = [];
    for (let at = 0; at <= HOUR + 7 * MINUTE; at += SECOND) {
      tracker.update(coin({ liquidity: 0.1 }), BORN + at);
      leftOut.push(...tracker.round(BORN + at).leftOut);
    }
    expect(leftOut.map(({ age }) => age)).toEqual([30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR]);
  });

  test('although an earlier run has ended since', () => {
    const tracker = createTracker(2);
    tracker.resume(BORN + 2 * MINUTE);
    tracker.update(coin(), BORN + 2 * MINUTE + SECOND);
    play(tracker, 2 * MINUTE + SECOND, 11 * MINUTE);
    expect(tracker.takeChanged().map(({ age }) => age)).toEqual([10 * MINUTE]);
  });

  test('although its case was closed in an earlier run, whose end was not stored', () => {
    const earlier = createTracker(2);
    earlier.update(coin(), BORN);
    play(earlier, 0, 2 * MINUTE);
    const [, closed] = earlier.takeChanged();
    if (closed === undefined) throw new Error('no case was opened');
    const tracker = createTracker(2);
    tracker.resume(BORN + MINUTE);
    tracker.update(coin(), BORN + 2 * MINUTE + SECOND);
    tracker.skip(closed);
    play(tracker, 2 * MINUTE + SECOND, 11 * MINUTE);
    expect(tracker.takeChanged().map(({ age }) => age)).toEqual([10 * MINUTE]);
  });

  test('and one that an earlier run did not reach is taken by the next', () => {
    const tracker = createTracker(2);
    tracker.resume(BORN + 2 * MINUTE - 1);
    tracker.update(coin(), BORN + 2 * MINUTE + SECOND);
    play(tracker, 2 * MINUTE + SECOND, 3 * MINUTE);
    expect(tracker.takeChanged().map(({ age }) => age)).toEqual([2 * MINUTE]);
  });
});

test('a trade that is missed within the hour is remembered', () => {
  const tracker = createTracker(2);
  tracker.update(coin(), BORN);
  play(tracker, 0, 30 * SECOND);
  tracker.update(coin({ complete: false }), BORN + MINUTE);
  expect(play(tracker, MINUTE, HOUR + MINUTE).ended).toMatchObject([{ complete: false }]);
});

test('a removed coin is forgotten with its cases', () => {
  const tracker = createTracker(2);
  tracker.update(coin(), BORN);
  tracker.update(coin({ address: 'other' }), BORN);
  play(tracker, 0, 30 * SECOND);
  tracker.remove({ addresses: ['coin', 'unknown'] });
  expect(tracker.takeChanged().map(({ address }) => address)).toEqual(['other']);
  tracker.remove({ all: true });
  expect(tracker.openCases).toBe(0);
  expect(play(tracker, 31 * SECOND, 3 * HOUR).ended).toEqual([]);
});

test('only new and changed cases are handed out, and those of a failed write again', () => {
  const tracker = createTracker(2);
  tracker.update(coin(), BORN);
  play(tracker, 0, 30 * SECOND);
  const [opened] = tracker.takeChanged();
  if (opened === undefined) throw new Error('no case was opened');
  tracker.update(coin({ score: 50 }), BORN + 31 * SECOND);
  expect(tracker.takeChanged()).toEqual([]);
  tracker.update(coin({ liquidity: 9 }), BORN + 32 * SECOND);
  expect(tracker.takeChanged()).toEqual([opened]);
  tracker.restoreChanged([opened]);
  expect(tracker.takeChanged()).toEqual([opened]);
  play(tracker, 33 * SECOND, HOUR + MINUTE);
  tracker.restoreChanged([opened]);
  expect(tracker.takeChanged()).not.toContain(opened);
});
