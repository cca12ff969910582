/**
 * How it stands with a condition. `waiting`: not met, but may still be. `unknown`: a value it needs is not known, which
 * counts as not met. `never`: it can't be met, now or later, for it is incomplete or its time is over.
 */
export type Met = 'met' | 'waiting' | 'unknown' | 'never';

/** All of them: one that is known not to be met decides, whatever the others are. None at all is `never`. */
export function allMet(parts: readonly Met[]): Met {
  if (parts.length === 0 || parts.includes('never')) return 'never';
  if (parts.includes('waiting')) return 'waiting';
  return parts.includes('unknown') ? 'unknown' : 'met';
}

/** Any of them: one that is met decides, whatever the others are. None at all is `never`. */
export function anyMet(parts: readonly Met[]): Met {
  if (parts.includes('met')) return 'met';
  if (parts.includes('unknown')) return 'unknown';
  return parts.includes('waiting') ? 'waiting' : 'never';
}

/** What is missing of a condition's figure, or null. What is not above 0 could only be met by accident. */
export function flawOf(name: string, figure: number | undefined): string | null {
  if (figure === undefined) return `no ${name} is set`;
  return figure > 0 ? null : `the ${name} must be above 0`;
}
