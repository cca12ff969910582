/** Significant digits of a typed figure; further digits are noise of binary fractions. */
const DIGITS = 12;

/** Label of the time limit of rules and strategies. */
export const BUY_WITHIN_LABEL = 'Only within';

/** Formats a number as it was typed, without an exponent: `0.000001`. */
function plain(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: DIGITS });
}

/** Formats an amount in SOL: `0.1 SOL`. */
export function sol(value: number): string {
  return `${plain(value)} SOL`;
}

/** Formats a percentage: `20%`. */
export function percent(value: number): string {
  return `${plain(value)}%`;
}

/** Parses the value of a number field; undefined when it is empty. */
export function parseNumberInput(text: unknown): number | undefined {
  return text === undefined || text === null || text === '' ? undefined : Number(text);
}
