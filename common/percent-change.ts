/**
 * Tolerance of comparisons, as a share of the value. Decimal fractions have no exact binary form: 10 % above 0.1 is
 * 0.11000000000000001, and a price of 0.11 has to reach it.
 */
const ROUNDING = 1e-9;

/** Returns true when `value` is at least `percent` % above `base`. */
export function hasRisen(value: number, base: number, percent: number): boolean {
  return value >= base * (1 + percent / 100) * (1 - ROUNDING);
}

/** Returns true when `value` is at least `percent` % below `base`. */
export function hasFallen(value: number, base: number, percent: number): boolean {
  // Relative to the base: near −100 % the value itself is too small to carry the tolerance.
  return value <= base * (1 - percent / 100) + base * ROUNDING * (percent < 100 ? 1 : 0);
}

/** Returns the change from `base`, above 0, to `value` in percent. */
export function changePercent(base: number, value: number): number {
  return ((value - base) / base) * 100;
}
