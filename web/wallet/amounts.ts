import { solText } from '../../common/tokens/units.ts';

/** Decimals of a displayed wallet balance (specification, section 9). */
const SHOWN_DECIMALS = 4;
const SHOWN_UNIT = 10n ** BigInt(9 - SHOWN_DECIMALS);

/** Returns SOL with 4 decimals, truncated rather than rounded, so that it never shows more than the balance. */
export function shownSol(lamports: bigint): string {
  const units = String(lamports / SHOWN_UNIT).padStart(SHOWN_DECIMALS + 1, '0');
  return `${units.slice(0, -SHOWN_DECIMALS)}.${units.slice(-SHOWN_DECIMALS)}`;
}

/** Returns the exact amount with its unit: `1.500000001 SOL`. */
export function exactSol(lamports: bigint): string {
  return `${solText(lamports)} SOL`;
}

/** Returns a long address or signature in groups of four, which are easier to compare. */
export function grouped(text: string): string[] {
  return text.match(/.{1,4}/g) ?? [];
}
