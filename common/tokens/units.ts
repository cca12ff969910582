/** 1 SOL = 1,000,000,000 lamports (specification, section 1). */
export const LAMPORTS_PER_SOL = 1_000_000_000;

/** Significant digits of prices, liquidity, market cap and volume on the wire. */
export const WIRE_DIGITS = 6;

/** Lamports → SOL. */
export function lamportsToSol(lamports: number): number {
  return lamports / LAMPORTS_PER_SOL;
}

/** SOL → whole lamports, to the nearest one. */
export function solToLamports(sol: number): number {
  return Math.round(sol * LAMPORTS_PER_SOL);
}

/** Digits SOL has after the point: 10^9 lamports. */
const SOL_DECIMALS = 9;
/** Longer texts are no amount anybody types. */
const AMOUNT_TEXT_MAX = 100;
const AMOUNT = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * SOL as somebody typed it → whole lamports, exactly: no float is involved, and what is less than a lamport is cut off.
 * Null when it is not a number. Says nothing about sign or size.
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

/** Lamports → SOL as an exact decimal, without exponent or needless zeros: 1500000000 → '1.5'. */
export function solText(lamports: bigint): string {
  const digits = String(lamports < 0n ? -lamports : lamports).padStart(SOL_DECIMALS + 1, '0');
  const fraction = digits.slice(-SOL_DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -SOL_DECIMALS);
  return `${lamports < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Base units of a token → whole tokens (1 token = 10^decimals base units). */
export function baseUnitsToTokens(amount: number, decimals: number): number {
  return amount / 10 ** decimals;
}

/** Rounds to so many significant digits: 0.000000123456789 → 0.000000123457. */
export function roundSignificant(value: number, digits: number = WIRE_DIGITS): number {
  return value === 0 || !Number.isFinite(value) ? value : Number(value.toPrecision(digits));
}
