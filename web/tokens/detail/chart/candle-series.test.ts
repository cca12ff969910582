import { beforeEach, expect, test } from 'vitest';
import type { CandlePage } from '../../../../common/tokens/candles/model.ts';
import type { Trade } from '../../../../common/tokens/model.ts';
import { trade } from '../../../live/testing/build.ts';
import { type CandleChange, type CandleSeries, createCandleSeries } from './candle-series.ts';
import { chartItems, isRise } from './canvas/chart-items.ts';
import { placeMarks } from './marks.ts';

/** A whole hour, epoch s. */
const START = 1_728_000_000;
let series: CandleSeries;
let changes: CandleChange[];

beforeEach(() => {
  series = createCandleSeries('5s');
  changes = [];
  series.subscribe((change) => void changes.push(change));
});

const time = (after: number) => new Date((START + after) * 1_000).toISOString();

/** A purchase for 1 SOL so many seconds after the start. */
function traded(number: number, after: number, price: number | null, fields: Partial<Trade> = {}): Trade {
  return trade(number, { at: time(after), price, sol: 1, side: 'buy', ...fields });
}

/** A page with candles at these spans, each with a price of 1; `last`: its newest trades. */
function page(spans: readonly number[], last: Trade[] = [], next: number | null = null): CandlePage {
  const candles = spans.map((after) => ({
    at: START + after,
    ...{ open: 1, high: 1, low: 1, close: 1, volume: 1, bought: 1 },
  }));
  const newest = last[0] === undefined ? null : { at: last[0].at, ids: last.map(({ id }) => id) };
  return { candles, parts: [{ from: 'trades', since: START }], next, newest };
}

const shown = () =>
  series
    .candles()
    .map(({ at, open, high, low, close, volume, bought }) =>
      [at - START, open, high, low, close, volume, bought].join(' '),
    );

test('live trades change the last candle or begin one, and a gap has none', () => {
  series.load(page([0], [traded(1, 1, 1)]));
  series.addTrades([traded(2, 2, 3, { side: 'sell' }), traded(3, 4.9, 2), traded(4, 21, 5)]);
  expect(shown()).toEqual(['0 1 3 1 2 3 2', '20 5 5 5 5 1 1']);
  expect(changes).toEqual(['all', 'last', 'last', 'last']);
});

test('a trade counts once, whether it came before its page, with it or twice', () => {
  const [first, second, later] = [traded(1, 1, 1), traded(2, 1, 1), traded(3, 2, 4)];
  series.addTrades([first, later]);
  series.load(page([0], [first]));
  series.addTrades([second, second, later]);
  expect(shown()).toEqual(['0 1 4 1 4 2 2']);
});

test('a late trade waits for the next page', () => {
  series.load(page([0, 5], [traded(2, 6, 1)]));
  series.addTrades([traded(1, 1, 9)]);
  expect(shown()).toEqual(['0 1 1 1 1 1 1', '5 1 1 1 1 1 1']);
});

test('a trade without a price makes no candle, and without a SOL value the volume is unknown', () => {
  series.load(page([]));
  series.addTrades([traded(1, 1, null), traded(2, 2, 7, { sol: null })]);
  expect(shown()).toEqual(['0 7 7 7 7  ']);
});

test('older pages come before the newest one, which a later fetch replaces', () => {
  series.load(page([20, 25], [], START + 20));
  expect(series.older()).toBe(START + 20);
  series.loadOlder(page([10, 15]));
  expect(series.older()).toBeNull();
  series.load(page([25, 30], [], START + 25));
  expect(series.candles().map(({ at }) => at - START)).toEqual([10, 15, 20, 25, 30]);
});

test('a gap keeps its place on the time axis, a long one a part of it', () => {
  series.load(page([0, 15, 5_000]));
  const items = chartItems(series.candles(), 5);
  expect(items.slice(0, 5).map(({ at, candle }) => [at - START, candle !== null])).toEqual([
    [0, true],
    [5, false],
    [10, false],
    [15, true],
    [20, false],
  ]);
  expect(items).toHaveLength(4 + 30 + 1);
});

test('a candle of one trade rises or falls from the candle before', () => {
  series.load(page([0]));
  series.addTrades([traded(1, 6, 0.5), traded(2, 11, 0.7)]);
  expect(chartItems(series.candles(), 5).map(isRise)).toEqual([true, false, true]);
});

/** Returns where marks so many seconds after the start stand. */
function places(afters: readonly number[], since: number | null) {
  const marks = afters.map((after) => ({
    id: String(after),
    ...{ kind: 'own' as const, side: null, time: (START + after) * 1_000, text: '' },
  }));
  return placeMarks(marks, series.candles(), since).map(({ id, at }) => [id, at - START]);
}

test('marks stand at the candle that began before them; one from before the coin has none', () => {
  series.load(page([10, 20]));
  expect(places([4, 12, 99, -50], START * 1_000)).toEqual([
    ['4', 10],
    ['12', 10],
    ['99', 20],
  ]);
});

test('marks before the first candle wait for the older candles', () => {
  series.load(page([10, 20], [], START + 10));
  expect(series.isWhole()).toBe(false);
  expect(places([4, 12], null)).toEqual([['12', 10]]);
  series.loadOlder(page([0, 5]));
  expect(series.isWhole()).toBe(true);
  expect(places([4, 12], START * 1_000)).toEqual([
    ['4', 0],
    ['12', 10],
  ]);
});
