import { solText } from '../../common/tokens/units.ts';

/** Decimals a wallet's balance is shown with (specification, section 9). */
const SHOWN_DECIMALS = 4;
const SHOWN_UNIT = 10n ** BigInt(9 - SHOWN_DECIMALS);

/** A balance as it is shown: SOL with 4 decimals, cut off rather than rounded, so that it never shows more than there is. */
export function shownSol(lamports: bigint): string {
  const units = String(lamports / SHOWN_UNIT).padStart(SHOWN_DECIMALS + 1, '0');
  return `${units.slice(0, -SHOWN_DECIMALS)}.${units.slice(-SHOWN_DECIMALS)}`;
}

/** The exact amount with its unit: `1.500000001 SOL`. */
export function exactSol(lamports: bigint): string {
  return `${solText(lamports)} SOL`;
}

/** A long address or signature in groups of four, so that it can be compared by eye. */
export function grouped(text: string): string[] {
  return text.match(/.{1,4}/g) ?? [];
}
