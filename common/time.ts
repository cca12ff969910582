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

/** Formats the ends of a span, epoch ms, as ISO 8601. */
export function isoSpan({ from, to }: { from: number; to: number }): { from: string; to: string } {
  return { from: iso(from), to: iso(to) };
}

/** Formats a time, epoch ms or ISO 8601, as `2026-11-23 14:32 UTC`. */
export function utcText(at: number | string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
