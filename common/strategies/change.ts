/**
 * Decimal fractions have no exact binary form: 10 % above 0.1 is 0.11000000000000001, and the price that was meant is 0.11.
 * So what misses a percentage by less than this share of the value counts as having reached it.
 */
const ROUNDING = 1e-9;

/** Whether `value` is at least `percent` % above `base`. Exactly as much is enough. */
export function hasRisen(value: number, base: number, percent: number): boolean {
  return value >= base * (1 + percent / 100) * (1 - ROUNDING);
}

/** Whether `value` is at least `percent` % below `base`. Exactly as much is enough. */
export function hasFallen(value: number, base: number, percent: number): boolean {
  // Taken from the base, since near −100 % hardly anything is left to round.
  return value <= base * (1 - percent / 100) + base * ROUNDING * (percent < 100 ? 1 : 0);
}

/** The change from `base`, above 0, to `value` in percent. */
export function changePercent(base: number, value: number): number {
  return ((value - base) / base) * 100;
}
