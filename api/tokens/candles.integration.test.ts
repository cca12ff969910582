import { beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR, iso, MINUTE } from '../../common/time.ts';
import type { CandleInterval } from '../../common/tokens/candles/model.ts';
import { ensureIndexes } from '../platform/database.ts';
import { testConnection } from '../testing/database.ts';
import { expectIndexed, explainer } from '../testing/explain.ts';
import { addressNumber, sampleRecord, tradeRecord } from '../testing/tokens.ts';
import { createCandleQuery } from './candles.ts';
import { tokenModels } from './model.ts';
import type { SampleRecord, StampedSample, TradeRecord } from './record.ts';

const connection = await testConnection({ monitorCommands: true });
const models = tokenModels(connection);
const address = addressNumber(1);
/** A whole hour. */
const START = 480_000 * HOUR;
const SECONDS = START / 1_000;

let unstored: { trades: TradeRecord[]; samples: StampedSample[] };
/** The present, ms after the start. */
let now: number;
const clock = { now: () => START + now };
const deps = { models, market: { unstored: () => unstored }, clock };
const token = { _id: address, listedAt: START - 72 * HOUR };
const candles = createCandleQuery(deps);

beforeAll(async () => {
  await ensureIndexes(models.trades);
  await ensureIndexes(models.samples);
});
beforeEach(async () => {
  now = HOUR;
  unstored = { trades: [], samples: [] };
  await Promise.all([models.trades.deleteMany({}), models.samples.deleteMany({})]);
});

let number = 0;
/** A trade so many ms after the start: bought, unless its lamports are negative. */
function trade(after: number, price: number | null, lamports: number | null = 1): TradeRecord {
  number += 1;
  const side = lamports !== null && lamports < 0 ? 'sell' : 'buy';
  const amount = lamports === null ? null : Math.abs(lamports);
  return { ...tradeRecord(address, number, new Date(START + after)), price, side, lamports: amount };
}
const store = (...trades: TradeRecord[]) => models.trades.insertMany(trades);

/** A chart point whose span ends so many ms after the start. */
function point(grain: 'minute' | 'hour', after: number, prices: Partial<SampleRecord>): SampleRecord {
  return { ...sampleRecord(address, grain, new Date(START + after)), ...prices };
}

/** Candles as `begin open high low close volume bought`, the begin in s after the start. */
const rows = async (interval: CandleInterval, rest: { before?: number; limit?: number } = {}) =>
  (await candles(token, { interval, ...rest })).candles.map(({ at, open, high, low, close, volume, bought }) =>
    [at - SECONDS, open, high, low, close, volume, bought].join(' '),
  );

test('candles have the first, highest, lowest and last price and the volume by side, and a gap has none', async () => {
  await store(trade(0, 3, 10), trade(400, 5, -20), trade(900, 2, 30), trade(1_000, 4, -1), trade(9_999, 7, 2));
  expect(await rows('1s')).toEqual(['0 3 5 2 2 60 40', '1 4 4 4 4 1 0', '9 7 7 7 7 2 2']);
  expect(await rows('5s')).toEqual(['0 3 5 2 4 61 40', '5 7 7 7 7 2 2']);
  expect(await rows('15s')).toEqual(['0 3 7 2 7 63 42']);
});

test('trades of the same time, as blocks have, are in the order of their writes', async () => {
  await store(trade(0, 3), trade(0, 1), trade(1_000, 9), trade(1_000, 8), trade(1_000, 2));
  expect(await rows('1s')).toEqual(['0 3 3 1 1 2 2', '1 9 9 2 2 3 3']);
  expect(await rows('1m')).toEqual(['0 3 9 1 2 5 5']);
});

test('trades without a price make no candle, and without a SOL value no volume', async () => {
  await store(trade(0, null, null), trade(2_000, 4, null), trade(2_001, 4, 5));
  expect(await rows('1s')).toEqual(['2 4 4 4 4  ']);
});

test('trades that MongoDB may lack count once, in their order', async () => {
  const both = trade(500, 6, 10);
  await store(trade(0, 3, 10), both, trade(800, 4, 10));
  unstored.trades = [both, trade(900, 2, -5), trade(1_200, 8, 1), trade(100, 1, 1)];
  expect(await rows('1s')).toEqual(['0 3 6 1 2 36 31', '1 8 8 8 8 1 1']);
});

test('names the newest trades, after which live ones follow', async () => {
  const [first, second, waiting] = [trade(900, 3), trade(900, 4), trade(900, 5)];
  await store(trade(100, 2), first, second);
  unstored.trades = [second, waiting];
  const { newest } = await candles(token, { interval: '1s' });
  expect(newest).toEqual({ at: iso(START + 900), ids: [first._id, second._id, waiting._id] });
  expect(await candles(token, { interval: '1s', before: SECONDS + 1 })).toMatchObject({ newest: null });
});

test('pages lead to the oldest candle and have each once', async () => {
  await store(...Array.from({ length: 9 }, (_, index) => trade(index * 2_000, index + 1)));
  const pages: number[][] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await candles(token, { interval: '1s', limit: 4, ...(before === undefined ? {} : { before }) });
    pages.push(page.candles.map(({ open }) => open));
    before = page.next;
  }
  expect(pages).toEqual([[6, 7, 8, 9], [2, 3, 4, 5], [1]]);
});

test('a page is made of a bounded number of trades, its oldest span of all', async () => {
  await store(...[0, 100, 200, 1_000, 1_100, 1_200].map((after) => trade(after, 1, 1)));
  const bounded = createCandleQuery({ ...deps, tradesMax: 2 });
  const page = await bounded(token, { interval: '1s' });
  expect(page).toMatchObject({ candles: [{ at: SECONDS + 1, volume: 3 }], next: SECONDS + 1 });
  const older = await bounded(token, { interval: '1s', before: SECONDS + 1 });
  expect(older).toMatchObject({ candles: [{ at: SECONDS, volume: 3 }] });
});

test('before the trades, minutes and hours follow from chart points, and the page says so', async () => {
  await models.samples.insertMany([
    point('hour', -4 * HOUR, { open: 1, high: 9, low: 1, price: 2, volumeLamports: 50 }),
    point('hour', 0, { open: 5, high: 5, low: 5, price: 5 }),
    point('minute', -2 * MINUTE, { open: 2, high: 4, low: 2, price: 3, volumeLamports: 7 }),
    point('minute', -MINUTE, { open: 3, high: 3, low: 1, price: 1, volumeLamports: 0 }),
    point('minute', MINUTE, { open: 8, high: 8, low: 8, price: 8 }),
  ]);
  await store(trade(0, 6, 3));
  expect(await rows('1m')).toEqual(['-18000 1 9 1 2 50 ', '-180 2 4 2 3 7 ', '-120 3 3 1 1  ', '0 6 6 6 6 3 3']);
  expect(await rows('5m')).toEqual(['-18000 1 9 1 2 50 ', '-300 2 4 1 1  ', '0 6 6 6 6 3 3']);
  expect(await rows('15s')).toEqual(['0 6 6 6 6 3 3']);
  const { parts } = await candles(token, { interval: '1m' });
  expect(parts).toEqual([
    { from: 'hours', since: SECONDS - 18_000 },
    { from: 'minutes', since: SECONDS - 180 },
    { from: 'trades', since: SECONDS },
  ]);
  const last = await candles(token, { interval: '1m', limit: 2 });
  expect(last.parts.map(({ from }) => from)).toEqual(['minutes', 'trades']);
  expect(await rows('1m', { limit: 2, before: last.next ?? 0 })).toEqual(['-18000 1 9 1 2 50 ', '-180 2 4 2 3 7 ']);
});

test('where the oldest trades expire, the candle of the hour takes the place of its partial ones', async () => {
  // The trades of the first half-hour have expired.
  now = 24 * HOUR + 30 * MINUTE + 7_000;
  await models.samples.insertMany([
    point('hour', 0, { open: 1, high: 1, low: 1, price: 1, volumeLamports: 5 }),
    point('hour', HOUR, { open: 1, high: 9, low: 1, price: 2, volumeLamports: 50 }),
  ]);
  await store(trade(30 * MINUTE + 10_000, 4, 1), trade(31 * MINUTE, 5, 2), trade(61 * MINUTE, 6, 3));
  for (const interval of ['1m', '5m', '15m'] as const) {
    const first = interval === '1m' ? 3_660 : 3_600;
    expect(await rows(interval)).toEqual(['-3600 1 1 1 1 5 ', '0 1 9 1 2 50 ', `${first} 6 6 6 6 3 3`]);
  }
  expect(await rows('15s')).toEqual(['1860 5 5 5 5 2 2', '3660 6 6 6 6 3 3']);
});

test('the same where points of minutes expire, and without the point of the hour the whole minutes stay', async () => {
  now = 8 * HOUR + 30 * MINUTE + 7_000;
  await models.samples.insertMany([
    point('minute', 40 * MINUTE, { open: 4, high: 4, low: 4, price: 4, volumeLamports: 1 }),
    point('minute', 70 * MINUTE, { open: 5, high: 5, low: 5, price: 5, volumeLamports: 2 }),
  ]);
  expect(await rows('1m')).toEqual(['2340 4 4 4 4 1 ', '4140 5 5 5 5 2 ']);
  await models.samples.insertMany([point('hour', HOUR, { open: 1, high: 9, low: 1, price: 2, volumeLamports: 50 })]);
  expect(await rows('1m')).toEqual(['0 1 9 1 2 50 ', '4140 5 5 5 5 2 ']);
});

test('a coin of less than a day has all its trades', async () => {
  now = 24 * HOUR + 30 * MINUTE;
  await store(trade(30 * MINUTE + 10, 4, 1));
  const young = { ...token, listedAt: START + 30 * MINUTE };
  expect((await candles(young, { interval: '5m' })).candles).toMatchObject([{ at: SECONDS + 1_800, volume: 1 }]);
});

test('every query of candles uses an index', async () => {
  await store(trade(0, 1));
  await models.samples.insertMany([point('minute', 0, {})]);
  const plans = await explainer(connection).plans(() => candles(token, { interval: '1m' }));
  // Sorted are only the sums of the spans.
  expectIndexed(plans, { sorts: true });
  expect(plans).toHaveLength(8);
});

test('a trade of the newest time that arrives during the read is left out, since it is not named', async () => {
  const [known, late] = [trade(900, 3, 10), trade(900, 8, 10)];
  await store(trade(100, 2, 10), known);
  let reads = 0;
  const market = {
    unstored() {
      reads += 1;
      return { trades: reads === 1 ? [] : [late], samples: [] };
    },
  };
  const { candles: found, newest } = await createCandleQuery({ ...deps, market })(token, { interval: '1s' });
  expect(newest?.ids).toEqual([known._id]);
  expect(found).toMatchObject([{ high: 3, volume: 20 }]);
});
