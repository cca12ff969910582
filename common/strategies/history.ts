import { firstIndex } from '../sorted.ts';

/** Values of a token from `at` (epoch ms) until the next point. Price and liquidity in SOL; null is unknown. */
export interface HistoryPoint {
  at: number;
  price: number | null;
  liquidity: number | null;
  holders: number | null;
}

/** A stored point with the highest and lowest price since the point before, SOL; null is unknown. */
export interface StoredPoint extends HistoryPoint {
  high: number | null;
  low: number | null;
}

/** History of a token as a strategy sees it. Points before the detection, or after the evaluated moment, are ignored. */
export interface TokenHistory {
  /** Epoch ms. */
  detectedAt: number;
  /** Oldest first. */
  points: readonly HistoryPoint[];
  /** Lowest price above 0 of the points dropped by `withPoint`; null or absent without one. */
  lowBefore?: number | null;
}

export type Value = 'price' | 'liquidity' | 'holders';

/** Lowest and highest value above 0; Infinity and 0 without one. */
export interface Extremes {
  lowest: number;
  highest: number;
}

/** A value within a window: the value at its end, and its extremes. */
export interface Span extends Extremes {
  now: number;
}

/** Points per precomputed block. A window then costs its two ends and one read per block in between. */
const BLOCK = 32;

/** Extremes of the blocks of each list of points: an evaluation along a path needs them once per point. */
const blockCache = new WeakMap<readonly HistoryPoint[], Map<Value, Extremes[]>>();

/** Returns the value at `now`; null when it is unknown at that time. */
export function valueAt(history: TokenHistory, value: Value, now: number): number | null {
  const point = history.points[lastAt(history.points, now)];
  return point === undefined || point.at < history.detectedAt ? null : point[value];
}

/**
 * Returns the value at `now` and its extremes within the last `ms`. The window includes the value at its start: the last point
 * at or before that moment. Unknown values and 0 are skipped, since a percentage can't be based on them. Null when the value at
 * `now` is unknown or the window has no other value.
 */
export function spanOf(history: TokenHistory, value: Value, now: number, ms: number): Span | null {
  const { points, detectedAt } = history;
  const current = valueAt(history, value, now);
  if (current === null) return null;
  const first = lastAt(points, detectedAt - 1) + 1;
  const begin = Math.max(first, lastAt(points, now - ms));
  const { lowest, highest } = extremesOf(points, value, begin, lastAt(points, now));
  return highest === 0 ? null : { now: current, lowest, highest };
}

/** Returns the extremes of the points from index `from` to `to`, both included. The array must not change afterwards. */
export function extremesOf(points: readonly HistoryPoint[], value: Value, from: number, to: number): Extremes {
  const found: Extremes = { lowest: Number.POSITIVE_INFINITY, highest: 0 };
  const blocks = to - from < 2 * BLOCK ? [] : blocksOf(points, value);
  for (let index = from; index <= to; ) {
    const block = index % BLOCK === 0 && index + BLOCK <= to + 1 ? blocks[index / BLOCK] : undefined;
    if (block === undefined) {
      take(found, points[index]?.[value] ?? null);
      index += 1;
    } else {
      if (block.lowest < found.lowest) found.lowest = block.lowest;
      if (block.highest > found.highest) found.highest = block.highest;
      index += BLOCK;
    }
  }
  return found;
}

function blocksOf(points: readonly HistoryPoint[], value: Value): Extremes[] {
  const values = blockCache.get(points) ?? new Map<Value, Extremes[]>();
  blockCache.set(points, values);
  const before = values.get(value);
  if (before !== undefined) return before;
  const blocks: Extremes[] = [];
  for (const [index, point] of points.entries()) {
    const block = blocks[Math.floor(index / BLOCK)] ?? { lowest: Number.POSITIVE_INFINITY, highest: 0 };
    if (index % BLOCK === 0) blocks.push(block);
    take(block, point[value]);
  }
  values.set(value, blocks);
  return blocks;
}

/** Skips unknown values and 0: a percentage can't be based on them. */
function take(extremes: Extremes, value: number | null): void {
  if (value === null || value <= 0) return;
  if (value < extremes.lowest) extremes.lowest = value;
  if (value > extremes.highest) extremes.highest = value;
}

/** Returns the lowest price above 0 from detection to `now`; null without one. */
export function lowestPrice(history: TokenHistory, now: number): number | null {
  const span = spanOf(history, 'price', now, Number.POSITIVE_INFINITY);
  if (span === null) return null;
  return Math.min(span.lowest, history.lowBefore ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns the history with one more point, not older than the last. Points outside a window of `ms` are dropped; their lowest
 * price is kept.
 */
export function withPoint(history: TokenHistory, point: HistoryPoint, ms: number): TokenHistory {
  const points = [...history.points, point];
  // The last point at or before the start of the window is its first value.
  const from = Math.max(0, lastAt(points, point.at - ms));
  const dropped = points
    .slice(0, from)
    .filter(({ at, price }) => at >= history.detectedAt && price !== null && price > 0);
  const low = dropped.reduce(
    (lowest, { price }) => Math.min(lowest, price ?? lowest),
    history.lowBefore ?? Number.POSITIVE_INFINITY,
  );
  return { ...history, points: points.slice(from), lowBefore: low === Number.POSITIVE_INFINITY ? null : low };
}

/** Returns the index of the last point at or before `at`; −1 without one. */
export function lastAt(points: readonly HistoryPoint[], at: number): number {
  return firstIndex(points, (point) => point.at <= at) - 1;
}
