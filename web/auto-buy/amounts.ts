/** Digits that a figure a person typed may have; what is beyond them is noise of binary fractions. */
const DIGITS = 12;

/** A figure as it was set, without an exponent: `0.000001`. */
export function plain(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: DIGITS });
}

/** `0.1 SOL`. */
export function sol(value: number): string {
  return `${plain(value)} SOL`;
}

/** `20%`. */
export function percent(value: number): string {
  return `${plain(value)}%`;
}

/** What was typed as a number; undefined for nothing at all. */
export function typedNumber(text: unknown): number | undefined {
  return text === undefined || text === null || text === '' ? undefined : Number(text);
}
