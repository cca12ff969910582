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

/** A value on its way through a window: what it is at its end, and the lowest and highest above 0 that were in force. */
export interface Span {
  now: number;
  lowest: number;
  highest: number;
}

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
  const last = lastAt(points, now);
  const current = valueAt(history, value, now);
  if (current === null) return null;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = 0;
  for (let index = last; index >= 0; index -= 1) {
    const point = points[index];
    if (point === undefined || point.at < detectedAt) break;
    const known = point[value];
    if (known !== null && known > 0) {
      lowest = Math.min(lowest, known);
      highest = Math.max(highest, known);
    }
    if (point.at <= now - ms) break;
  }
  return highest === 0 ? null : { now: current, lowest, highest };
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
