/** What was known of a token from `at` (epoch ms) until the next point. Price and liquidity in SOL; null is unknown. */
export interface HistoryPoint {
  at: number;
  price: number | null;
  liquidity: number | null;
  holders: number | null;
}

/** What a strategy may know of a token: nothing from before its detection counts, nor anything later than the moment it is asked about. */
export interface TokenHistory {
  /** Epoch ms. */
  detectedAt: number;
  /** Oldest first. */
  points: readonly HistoryPoint[];
  /** The lowest price above 0 of points that `withPoint` has dropped; null or absent without any. */
  lowBefore?: number | null;
}

export type Value = 'price' | 'liquidity' | 'holders';

/** The lowest and the highest value above 0; Infinity and 0 without any. */
export interface Extremes {
  lowest: number;
  highest: number;
}

/** A value on its way through a window: what it is at its end, and the extremes that were in force. */
export interface Span extends Extremes {
  now: number;
}

/** Points that are summed up at a time. A window then costs its ends and one look for each of these in between. */
const BLOCK = 32;

/** Of each list of points that was asked about, the extremes of its blocks: who goes along a path asks once a point. */
const known = new WeakMap<readonly HistoryPoint[], Map<Value, Extremes[]>>();

/** The value in force at `now`; null when it is not known, or no longer. */
export function valueAt(history: TokenHistory, value: Value, now: number): number | null {
  const point = history.points[lastAt(history.points, now)];
  return point === undefined || point.at < history.detectedAt ? null : point[value];
}

/**
 * The value at `now` and its extremes within the last `ms` before. What was in force when the window began is part of it:
 * the last point at or before that moment. Values that are unknown or 0 are left out, since no percentage follows from them.
 * Null when the value at `now` is not known or nothing remains to compare it with.
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

/** The extremes of the points from index `from` to `to`, both included. The points must not change any more. */
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
  const values = known.get(points) ?? new Map<Value, Extremes[]>();
  known.set(points, values);
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

/** What is unknown or 0 is left out: no percentage follows from it. */
function take(extremes: Extremes, value: number | null): void {
  if (value === null || value <= 0) return;
  if (value < extremes.lowest) extremes.lowest = value;
  if (value > extremes.highest) extremes.highest = value;
}

/** The lowest price above 0 since detection, up to `now`; null while none is known. */
export function lowestPrice(history: TokenHistory, now: number): number | null {
  const span = spanOf(history, 'price', now, Number.POSITIVE_INFINITY);
  if (span === null) return null;
  return Math.min(span.lowest, history.lowBefore ?? Number.POSITIVE_INFINITY);
}

/**
 * The history with one more point, not older than the last, for whoever follows a token live. Points that no window of `ms`
 * can reach any more are dropped; their lowest price is kept.
 */
export function withPoint(history: TokenHistory, point: HistoryPoint, ms: number): TokenHistory {
  const points = [...history.points, point];
  // The last point at or before the window's begin is what the window begins with.
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

/** Index of the last point at or before `at`, −1 without one. */
export function lastAt(points: readonly HistoryPoint[], at: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const point = points[middle];
    if (point !== undefined && point.at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
