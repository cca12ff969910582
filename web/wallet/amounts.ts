import { solText } from '../../common/tokens/units.ts';

/** Decimals of a displayed balance (specification, section 9). */
const SHOWN_DECIMALS = 4;
const SHOWN_UNIT = 10n ** BigInt(9 - SHOWN_DECIMALS);

/** Formats a balance in SOL with 4 decimals, truncated so that it never exceeds the real one. */
export function formatBalance(lamports: bigint): string {
  const units = String(lamports / SHOWN_UNIT).padStart(SHOWN_DECIMALS + 1, '0');
  return `${units.slice(0, -SHOWN_DECIMALS)}.${units.slice(-SHOWN_DECIMALS)}`;
}

/** Formats the exact amount with its unit: `1.500000001 SOL`. */
export function exactSol(lamports: bigint): string {
  return `${solText(lamports)} SOL`;
}

/** Splits a long address or signature into groups of four characters, which are easier to compare. `at`: offset. */
export function groupsOfFour(text: string): { at: number; text: string }[] {
  return [...text.matchAll(/.{1,4}/g)].map(({ 0: group, index }) => ({ at: index, text: group }));
}
