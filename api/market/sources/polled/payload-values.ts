/** Base units of so many whole tokens, as a decimal string; null for what is no amount. Services tell supplies as doubles. */
export function baseUnits(tokens: number | null | undefined, decimals: number | null | undefined): string | null {
  if (tokens == null || decimals == null || !Number.isFinite(tokens) || tokens < 0) return null;
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) return null;
  // Digits rather than a product, which would add noise below the last one that was told.
  const [mantissa = '', exponent = '0'] = tokens.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) + decimals - fraction.length;
  const digits = `${whole}${fraction}`;
  const units = shift >= 0 ? digits + '0'.repeat(shift) : digits.slice(0, shift);
  return units.replace(/^0+(?=\d)/, '') || '0';
}

/** A mint holds its decimals in one byte, but no token has more than a few. */
const MAX_DECIMALS = 18;

/** A number that is one and not negative; null otherwise. */
export function amount(value: number | null | undefined): number | null {
  return value != null && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The time of an ISO date, seconds or ms, as epoch ms; null when it is none, or none that a token can be of. */
export function epochMs(value: string | number | null | undefined): number | null {
  if (value == null) return null;
  const at = typeof value === 'string' ? Date.parse(value) : value < SECONDS_BELOW ? value * 1_000 : value;
  return Number.isFinite(at) && at >= SOLANA_BEGAN && at < SECONDS_BELOW * 1_000 ? Math.round(at) : null;
}

/** Smaller numbers are seconds: in ms it would be 1973. */
const SECONDS_BELOW = 100_000_000_000;
const SOLANA_BEGAN = Date.UTC(2020, 2, 16);

/** A text with something in it; null otherwise. */
export function said(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
