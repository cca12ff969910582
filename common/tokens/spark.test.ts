import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addSparkPoint, changeStart, SPARK_POINTS, SPARK_STEP, type SparkPoint, sparkSecond } from './spark.ts';

const START = Date.parse('2026-07-04T12:00:00.000Z');
const iso = new Date(START).toISOString();

const same = (point: SparkPoint) => point;

function followed(seconds: number): SparkPoint[] {
  const spark: SparkPoint[] = [];
  for (let at = 0; at <= seconds; at += 1) addSparkPoint(spark, [at, at + 1], same);
  return spark;
}

const at = (spark: SparkPoint[], createdAt: string | null = iso) => ({ spark, createdAt, detectedAt: iso });

test('points are dense for recent times and keep the first one', () => {
  const spark = followed(7_200);
  expect(spark).toHaveLength(SPARK_POINTS);
  expect(spark[0]).toEqual([0, 1]);
  for (const [span, seconds] of [
    ['1m', 60],
    ['5m', 300],
    ['1h', 3_600],
  ] as const) {
    const [from = Number.NaN] = changeStart(at(spark), span, START + 7_200_000) ?? [];
    expect(7_200 - from).toBeGreaterThanOrEqual(seconds);
    expect(7_200 - from).toBeLessThanOrEqual(1.6 * seconds);
  }
});

test('a change is unknown for a token younger than its span', () => {
  const spark = followed(59);
  expect(changeStart(at(spark), '1m', START + 59_000)).toBeNull();
  expect(changeStart(at(spark), '1m', START + 60_000)).toEqual([0, 1]);
});

test('a change since the launch needs a price of the first minute after the creation', () => {
  const spark = followed(30);
  expect(changeStart(at(spark), 'launch', START)).toEqual([0, 1]);
  expect(changeStart(at(spark, null), 'launch', START)).toBeNull();
  expect(changeStart(at(spark, new Date(START - 90_000).toISOString()), 'launch', START)).toBeNull();
});

/** Changes of a price: seconds since the one before, and the price. */
const changesArb = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 5 })), {
  minLength: 1,
  maxLength: SPARK_POINTS,
});

test('a change counts from a price that held at the beginning of its span, or less than a step before', () => {
  fc.assert(
    fc.property(changesArb, fc.integer({ min: 0, max: 400 }), (changes, later) => {
      const spark: SparkPoint[] = [];
      const prices: SparkPoint[] = [];
      let second = 0;
      for (const [after, price] of changes) {
        second += after;
        prices.push([second, price]);
        addSparkPoint(spark, [second, price], same);
      }
      const begin = second + later - 60;
      const from = prices.findLast(([time]) => time <= begin - SPARK_STEP);
      const held = prices.filter(([time]) => time > begin - SPARK_STEP && time <= begin);
      const start = changeStart(at(spark), '1m', START + (second + later) * 1_000);
      if (begin < (prices[0]?.[0] ?? 0)) {
        expect(start).toBeNull();
        return;
      }
      expect([...(from ? [from] : []), ...held].map(([, price]) => price)).toContain(start?.[1]);
      // On a coin that has been quiet for the span nothing has changed.
      if (later >= 60) expect(start?.[1]).toBe(prices.at(-1)?.[1]);
    }),
  );
});

test('server and clients keep the same points', () => {
  const read = (point: { at: number; price: number }): SparkPoint => [sparkSecond(point.at, START), point.price];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 5 }))), (changes) => {
      const ofServer: { at: number; price: number }[] = [];
      const ofClient: SparkPoint[] = [];
      let now = START;
      for (const [after, price] of changes) {
        now += after;
        addSparkPoint(ofServer, { at: now, price }, read);
        addSparkPoint(ofClient, [sparkSecond(now, START), price], same);
      }
      expect(ofServer.map(read)).toEqual(ofClient);
    }),
  );
});
