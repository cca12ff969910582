/** 1 SOL = 1,000,000,000 lamports (specification, section 1). */
export const LAMPORTS_PER_SOL = 1_000_000_000;

/** Significant digits of prices, liquidity, market cap and volume on the wire. */
const WIRE_DIGITS = 6;

/** Converts lamports to SOL. */
export function lamportsToSol(lamports: number): number {
  return lamports / LAMPORTS_PER_SOL;
}

/** Converts lamports to SOL; null stays null. */
export function solOrNull(lamports: number | null): number | null {
  return lamports === null ? null : lamportsToSol(lamports);
}

/** Converts SOL to whole lamports, to the nearest one. */
export function solToLamports(sol: number): number {
  return Math.round(sol * LAMPORTS_PER_SOL);
}

/** Decimals of SOL: 10^9 lamports. */
const SOL_DECIMALS = 9;
/** Greatest length of an amount that users type. */
const AMOUNT_TEXT_MAX = 100;
const AMOUNT = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Converts typed SOL to whole lamports, exactly: without floats, and fractions of a lamport are cut off. null when it is not
 * a number. Sign and size are not checked.
 */
export function lamportsOfSol(text: string): bigint | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    (text.length <= AMOUNT_TEXT_MAX && AMOUNT.exec(text.trim())) || [];
  if (whole === '' && fraction === '') return null;
  // digits × 10^shift lamports
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) + SOL_DECIMALS - fraction.length;
  const lamports = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  return sign === '-' ? -lamports : lamports;
}

/** Converts lamports to SOL as an exact decimal, without exponent or trailing zeros: 1500000000 → '1.5'. */
export function solText(lamports: bigint): string {
  const digits = String(lamports < 0n ? -lamports : lamports).padStart(SOL_DECIMALS + 1, '0');
  const fraction = digits.slice(-SOL_DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -SOL_DECIMALS);
  return `${lamports < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Decimals assumed while a coin's own are unknown: all supported launchpads create coins with 6. */
export const LAUNCHPAD_DECIMALS = 6;

/** Converts base units of a token to whole tokens (1 token = 10^decimals base units). */
export function baseUnitsToTokens(amount: number, decimals: number): number {
  return amount / 10 ** decimals;
}

/** Rounds to this many significant digits: 0.000000123456789 → 0.000000123457. */
export function roundSignificant(value: number, digits: number = WIRE_DIGITS): number {
  return value === 0 || !Number.isFinite(value) ? value : Number(value.toPrecision(digits));
}

/** Rounds to the digits of the wire; null stays null. */
export function roundedOrNull(value: number | null): number | null {
  return value === null ? null : roundSignificant(value);
}
