import { z } from 'zod';

/** Points of a sparkline, at most. */
export const SPARK_POINTS = 24;
/** Length of the steps of time that have one point each, seconds. */
export const SPARK_STEP = 10;

/** A past price: seconds after the detection (before it: negative), and the price in SOL from then on. */
export const sparkPointSchema = z.tuple([z.int(), z.number()]);
export type SparkPoint = z.infer<typeof sparkPointSchema>;

/**
 * Adds the price of `point` to a sparkline, for server and clients alike; `read` returns what a stored point stands for. The last
 * point always has the latest price and the time of its change: it replaces an earlier one of the same step, except the very
 * first. Returns false for the same price as the last one.
 */
export function addSparkPoint<Point>(points: Point[], point: Point, read: (point: Point) => SparkPoint): boolean {
  const last = points.at(-1);
  const [second, price] = read(point);
  if (last !== undefined) {
    const [lastSecond, lastPrice] = read(last);
    if (lastPrice === price) return false;
    if (points.length > 1 && stepOf(lastSecond) === stepOf(second)) points.pop();
  }
  points.push(point);
  if (points.length > SPARK_POINTS) points.splice(droppedPoint(points.map((one) => read(one)[0])), 1);
  return true;
}

const stepOf = (second: number): number => Math.floor(second / SPARK_STEP);

/** Returns the time of a point, seconds after the detection. Both times: epoch ms. */
export function sparkSecond(at: number, detectedAt: number): number {
  return Math.round((at - detectedAt) / 1_000);
}

/**
 * Returns which of too many points to drop, by their rising times. The first and the last stay; of the others the one whose
 * neighbors are closest to each other, measured by their age: recent points stay dense, and old ones become sparse.
 */
export function droppedPoint(times: readonly number[]): number {
  const end = times.at(-1) ?? 0;
  let dropped = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < times.length - 1; at += 1) {
    const before = times[at - 1] ?? 0;
    const gap = ((times[at + 1] ?? 0) - before) / (end - before + 1);
    if (gap < least) {
      least = gap;
      dropped = at;
    }
  }
  return dropped;
}

/** Spans of a change, and their lengths in seconds; `launch` begins with the first price. */
const changeSpans = { '1m': 60, '5m': 300, '1h': 3_600, launch: Number.POSITIVE_INFINITY } as const;
export const changeSpanSchema = z.enum(['1m', '5m', '1h', 'launch']);
export type ChangeSpan = z.infer<typeof changeSpanSchema>;

/** A first price at most this long after the creation is that of the launch, seconds. */
const LAUNCH_WITHIN = 60;

interface Priced {
  spark: readonly SparkPoint[];
  createdAt: string | null;
  detectedAt: string;
}

/**
 * Returns the point that a change over a span counts from at `now` (epoch ms): the last one at or before its beginning, or
 * that of the launch. Null when the token is younger, or its price was not known then.
 */
export function changeStart(token: Priced, span: ChangeSpan, now: number): SparkPoint | null {
  const { spark, createdAt, detectedAt } = token;
  const detected = Date.parse(detectedAt);
  if (span === 'launch') {
    const first = spark[0];
    if (first === undefined || createdAt === null) return null;
    return detected / 1_000 + first[0] - Date.parse(createdAt) / 1_000 <= LAUNCH_WITHIN ? first : null;
  }
  const from = (now - detected) / 1_000 - changeSpans[span];
  return spark.findLast(([at]) => at <= from) ?? null;
}
