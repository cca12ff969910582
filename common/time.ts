/** The current time, passed in so that tests control it. */
export interface Clock {
  /** Returns epoch ms. */
  now(): number;
}

/** Returns a number in [0, 1), as `Math.random` does; passed in so that tests control it. */
export type Random = () => number;

/** Units of time, in ms. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Formats epoch ms as ISO 8601. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Formats epoch ms as ISO 8601; null stays null. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
