/** First entries that may be left behind before the lists are cut. */
const SPARE = 64;

/**
 * Lowest (or highest) values of one figure of a token, for every window at once: an entry is the extreme of everything from its
 * own time on, with the moment until which it was in force. Entries that no window can ask for are dropped, so that their number
 * stays about the logarithm of the number of values.
 */
export interface Extremes {
  /** 1 for lowest values, −1 for highest. */
  sign: 1 | -1;
  /** Entries before it are outside every window. */
  first: number;
  values: number[];
  /** Epoch ms until which the value of the same index was in force. */
  until: number[];
  /** Value in force now; null while unknown. */
  current: number | null;
}

export function createExtremes(sign: 1 | -1): Extremes {
  return { sign, first: 0, values: [], until: [], current: null };
}

export function copyOf(extremes: Extremes): Extremes {
  return { ...extremes, values: [...extremes.values], until: [...extremes.until] };
}

/**
 * Sets the value from `at` (epoch ms) on; null: unknown. Unknown values and 0 are skipped, since no percentage can be based on
 * them. `longest`: longest window that will be asked for, ms.
 */
export function pushValue(extremes: Extremes, at: number, value: number | null, longest: number): void {
  const { values, until, sign, current } = extremes;
  if (current !== null && current > 0) {
    while (values.length > extremes.first && sign * (values.at(-1) ?? 0) >= sign * current) {
      values.pop();
      until.pop();
    }
    values.push(current);
    until.push(at);
  }
  extremes.current = value;
  const begin = at - longest;
  while (extremes.first < values.length && (until[extremes.first] ?? 0) <= begin) extremes.first += 1;
  if (extremes.first > SPARE && extremes.first * 2 > values.length) {
    values.splice(0, extremes.first);
    until.splice(0, extremes.first);
    extremes.first = 0;
  }
}

/** Returns the extreme of the values in force after `begin` (epoch ms), the present one included; null without one above 0. */
export function extremeSince({ first, values, until, sign, current }: Extremes, begin: number): number | null {
  let low = first;
  let high = until.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((until[middle] ?? 0) <= begin) low = middle + 1;
    else high = middle;
  }
  const before = values[low] ?? null;
  if (current === null || current <= 0) return before;
  return before !== null && sign * before < sign * current ? before : current;
}
