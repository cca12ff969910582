/**
 * Outcome of a condition. `waiting`: not met yet. `unknown`: not met, because a value it needs is unknown. `never`: it can't be
 * met, now or later, because it is incomplete or its time is over.
 */
export type Met = 'met' | 'waiting' | 'unknown' | 'never';

/** Combines outcomes that must all be met. A known unmet one takes precedence over an unknown one; `never` without outcomes. */
export function allMet(parts: readonly Met[]): Met {
  if (parts.length === 0 || parts.includes('never')) return 'never';
  if (parts.includes('waiting')) return 'waiting';
  return parts.includes('unknown') ? 'unknown' : 'met';
}

/** Combines outcomes when any one must be met; `never` without outcomes. */
export function anyMet(parts: readonly Met[]): Met {
  if (parts.includes('met')) return 'met';
  if (parts.includes('unknown')) return 'unknown';
  return parts.includes('waiting') ? 'waiting' : 'never';
}

/** Returns the flaw of a condition's figure, or null. A figure that is not above 0 could only be met by accident. */
export function flawOf(name: string, figure: number | undefined): string | null {
  if (figure === undefined) return `no ${name} is set`;
  return figure > 0 ? null : `the ${name} must be above 0`;
}
