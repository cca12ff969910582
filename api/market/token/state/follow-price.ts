import { addSparkPoint, type SparkPoint, sparkSecond } from '../../../../common/tokens/spark.ts';
import { roundSignificant } from '../../../../common/tokens/units.ts';
import type { LiveToken } from './live-token.ts';

/** Adds the present price to the sparkline, with the digits that clients have of it. `at`: time of its change, epoch ms. */
export function followPrice(live: LiveToken, at: number): void {
  const { spark, price, detectedAt } = live.record;
  if (price === null) return;
  // A trade may carry an earlier time than the one before it.
  const point = { at: Math.max(at, spark.at(-1)?.at ?? at), price: roundSignificant(price) };
  const read = (one: typeof point): SparkPoint => [sparkSecond(one.at, detectedAt), one.price];
  if (addSparkPoint(spark, point, read)) live.dirty.add('spark');
}
