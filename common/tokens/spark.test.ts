import { expect, test } from 'vitest';
import { changeStart, droppedPoint, SPARK_POINTS, type SparkPoint } from './spark.ts';

const START = Date.parse('2026-07-04T12:00:00.000Z');
const iso = new Date(START).toISOString();

function followed(seconds: number): SparkPoint[] {
  const spark: SparkPoint[] = [];
  for (let at = 0; at <= seconds; at += 10) {
    spark.push([at, at + 1]);
    if (spark.length > SPARK_POINTS) spark.splice(droppedPoint(spark.map(([time]) => time)), 1);
  }
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
