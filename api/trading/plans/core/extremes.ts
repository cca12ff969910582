import type { KeptExtremes } from './model.ts';

/** First entries that may be left behind before the lists are cut. */
const SPARE = 64;

/**
 * Lowest (or highest) values of one figure of a token, for every window at once: an entry is the extreme of everything from its
 * own time on, with the moment until which it was in force. Entries that no window can ask for are dropped, so that their number
 * stays about the logarithm of the number of values.
 */
export class Extremes {
  /** Entries before it are outside every window. */
  private first = 0;
  private readonly values: number[] = [];
  /** Epoch ms until which the value of the same index was in force. */
  private readonly until: number[] = [];
  /** Value in force now; NaN while unknown. */
  private current = Number.NaN;

  /** 1 for lowest values, −1 for highest. */
  private readonly sign: 1 | -1;

  constructor(sign: 1 | -1) {
    this.sign = sign;
  }

  get size(): number {
    return this.values.length;
  }

  /**
   * Sets the value from `at` (epoch ms) on; null: unknown. Unknown values and 0 are skipped, since no percentage can be based on
   * them. `longest`: longest window that will be asked for, ms.
   */
  push(at: number, value: number | null, longest: number): void {
    const { values, until, sign, current } = this;
    if (current > 0) {
      while (values.length > this.first && sign * (values.at(-1) ?? 0) >= sign * current) {
        values.pop();
        until.pop();
      }
      values.push(current);
      until.push(at);
    }
    this.current = value ?? Number.NaN;
    const begin = at - longest;
    while (this.first < values.length && (until[this.first] ?? 0) <= begin) this.first += 1;
    if (this.first > SPARE && this.first * 2 > values.length) {
      values.splice(0, this.first);
      until.splice(0, this.first);
      this.first = 0;
    }
  }

  /** Returns the extreme of the values in force after `begin` (epoch ms), the present one included; null without one above 0. */
  since(begin: number): number | null {
    const { values, until, sign, current } = this;
    let low = this.first;
    let high = until.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((until[middle] ?? 0) <= begin) low = middle + 1;
      else high = middle;
    }
    const before = values[low] ?? Number.NaN;
    if (!(current > 0)) return before > 0 ? before : null;
    return before > 0 && sign * before < sign * current ? before : current;
  }

  /** Returns the state for a snapshot. */
  keep(): KeptExtremes {
    const { first, current } = this;
    const present = Number.isNaN(current) ? null : current;
    return { values: this.values.slice(first), until: this.until.slice(first), current: present };
  }

  /** Takes the state of a snapshot, instead of its own. */
  restore({ values, until, current }: KeptExtremes): void {
    this.first = 0;
    this.values.splice(0, this.values.length, ...values);
    this.until.splice(0, this.until.length, ...until);
    this.current = current ?? Number.NaN;
  }
}
