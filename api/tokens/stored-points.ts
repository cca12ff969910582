import { isDeepStrictEqual } from 'node:util';
import type { Collection } from 'mongoose';
import type { StoredPoint } from '../../common/strategies/history.ts';
import { MINUTE } from '../../common/time.ts';
import { solOrNull } from '../../common/tokens/units.ts';
import type { SampleRecord } from './record.ts';

/** Age up to which points of every change are stored, ms. Older ones are one a minute. */
export const FULL_SPAN = 10 * MINUTE;

/** Points of a token in columns, oldest first: one document per point takes ten times as long to parse. */
interface Columns {
  _id: string;
  at: number[];
  price: (number | null)[];
  high: (number | null)[];
  low: (number | null)[];
  lamports: (number | null)[];
  holders: (number | null)[];
}

/** Stored points to read. Times in ms, `now` epoch ms. */
export interface PointsRequest {
  addresses: readonly string[];
  /** Those of them that may have points of the last minutes. */
  busy: readonly string[];
  now: number;
  span: number;
  /** Span of hourly points, for times before the points of minutes. Default: none. */
  hourSpan?: number;
  /** Least distance of the points of the last minutes. */
  fullStep: number;
  /** Returns the samples of a token that may not be stored yet, oldest first. */
  unstored(address: string): readonly SampleRecord[];
  timeout: number;
}

/** Returns the points of tokens by address, oldest first: the stored ones, and those that are not stored yet. */
export async function readStoredPoints(
  samples: Collection<SampleRecord>,
  { addresses, busy, now, span, hourSpan = 0, fullStep, unstored, timeout }: PointsRequest,
): Promise<Map<string, StoredPoint[]>> {
  // Read first: a write that ends meanwhile would show in neither.
  const waiting = addresses.flatMap((address) => unstored(address));
  const [minutes, full, hours] = await Promise.all([
    columnsOf(samples, addresses, 'minute', new Date(now - span), timeout),
    busy.length > 0 ? columnsOf(samples, busy, 'full', new Date(now - FULL_SPAN), timeout) : [],
    hourSpan > span ? columnsOf(samples, addresses, 'hour', new Date(now - hourSpan), timeout) : [],
  ]);
  const points = new Map<string, StoredPoint[]>();
  const add = (address: string, more: StoredPoint[]) => points.set(address, [...(points.get(address) ?? []), ...more]);
  const waitingOf = (grain: SampleRecord['grain'], age: number) =>
    waiting.filter((sample) => sample.grain === grain && sample.at.getTime() >= now - age);
  if (hourSpan > span) for (const [address, more] of joined(hours, waitingOf('hour', hourSpan))) add(address, more);
  for (const [address, more] of joined(minutes, waitingOf('minute', span))) add(address, more);
  for (const [address, more] of joined(full, waitingOf('full', FULL_SPAN))) add(address, thinned(more, fullStep));
  for (const all of points.values()) all.sort((a, b) => a.at - b.at);
  return points;
}

/** Returns the stored points of one grain by address, followed by those that wait, which replace older ones of the same time. */
function joined(stored: readonly Columns[], waiting: readonly SampleRecord[]): Map<string, StoredPoint[]> {
  const points = new Map(stored.map((columns) => [columns._id, pointsOf(columns)]));
  for (const { address, grain, at, price, high, low, liquidityLamports, holders } of waiting) {
    const point = { at: at.getTime(), price, high, low, liquidity: solOrNull(liquidityLamports), holders };
    // Two changes of the same millisecond are two points.
    const isOlder = (other: StoredPoint) =>
      grain === 'full' ? isDeepStrictEqual(other, point) : other.at === point.at;
    points.set(address, [...(points.get(address) ?? []).filter((other) => !isOlder(other)), point]);
  }
  return points;
}

function pointsOf({ at, price, high, low, lamports, holders }: Columns): StoredPoint[] {
  return at.map((time, index) => ({
    at: time,
    price: price[index] ?? null,
    high: high[index] ?? null,
    low: low[index] ?? null,
    liquidity: solOrNull(lamports[index] ?? null),
    holders: holders[index] ?? null,
  }));
}

/** Returns points at least `step` apart, ms. */
function thinned(points: readonly StoredPoint[], step: number): StoredPoint[] {
  let before = Number.NEGATIVE_INFINITY;
  return points.filter(({ at }) => {
    if (at - before < step) return false;
    before = at;
    return true;
  });
}

/** Reads points by the index { address: 1, grain: 1, at: 1 }, in its order. */
function columnsOf(
  samples: Collection<SampleRecord>,
  addresses: readonly string[],
  grain: SampleRecord['grain'],
  since: Date,
  timeout: number,
): Promise<Columns[]> {
  // $push skips a missing value, which would shorten its column.
  const column = (field: string) => ({ $push: { $ifNull: [`$${field}`, null] } });
  return samples
    .aggregate<Columns>(
      [
        { $match: { address: { $in: addresses }, grain, at: { $gte: since } } },
        { $sort: { address: 1, grain: 1, at: 1 } },
        {
          $group: {
            _id: '$address',
            at: { $push: { $toLong: '$at' } },
            price: column('price'),
            high: column('high'),
            low: column('low'),
            lamports: column('liquidityLamports'),
            holders: column('holders'),
          },
        },
      ],
      { maxTimeMS: timeout },
    )
    .toArray();
}
