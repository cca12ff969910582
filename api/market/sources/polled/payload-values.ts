import { z } from 'zod';

/** Address of a token: base58 of 32 bytes. */
export const mintSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);

/** Returns the state of an authority: null means revoked, a missing or blank holder means unknown. */
export function authority(holder: string | null | undefined): 'live' | 'revoked' | null {
  // A blank holder must not count as revoked, which is the safe state.
  if (holder === undefined || holder?.trim() === '') return null;
  return holder === null ? 'revoked' : 'live';
}

/** A mint stores its decimals in one byte, but real tokens have few. */
const MAX_DECIMALS = 18;

/** Converts whole tokens to base units, as a decimal string; null for an invalid amount. Services report supplies as doubles. */
export function baseUnits(tokens: number | null | undefined, decimals: number | null | undefined): string | null {
  if (tokens == null || decimals == null || !Number.isFinite(tokens) || tokens < 0) return null;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) return null;
  // Shifts digits: a product would add noise below the last digit of the report.
  const [mantissa = '', exponent = '0'] = tokens.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) + decimals - fraction.length;
  const digits = `${whole}${fraction}`;
  const units = shift >= 0 ? digits + '0'.repeat(shift) : digits.slice(0, shift);
  return units.replace(/^0+(?=\d)/, '') || '0';
}

/** Returns a finite number that is not negative; null otherwise. */
export function nonNegative(value: number | null | undefined): number | null {
  return value != null && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Smaller numbers are seconds: as ms they would lie in 1973. */
const SECONDS_BELOW = 100_000_000_000;
const SOLANA_BEGAN = Date.UTC(2020, 2, 16);

/** Converts an ISO date, seconds or ms to epoch ms; null for an invalid time or one before Solana began. */
export function epochMs(value: string | number | null | undefined): number | null {
  if (value == null) return null;
  const at = typeof value === 'string' ? Date.parse(value) : value < SECONDS_BELOW ? value * 1_000 : value;
  return Number.isFinite(at) && at >= SOLANA_BEGAN && at < SECONDS_BELOW * 1_000 ? Math.round(at) : null;
}

/** Returns the trimmed text; null when blank. */
export function nonBlank(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
