import { solText } from '../tokens/units.ts';

/** From this amount on, fractions of a token are left out. */
const WHOLE_FROM = 1_000;
const wholeTokens = new Intl.NumberFormat('en-US');
const fewTokens = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });

/** Returns lamports as '0.1 SOL', exactly. */
export function sol(lamports: number): string {
  return `${solText(BigInt(lamports))} SOL`;
}

/** Returns base units as whole tokens with separators: `3,402,118`, rounded down; below 1,000 with decimals. */
export function tokensText(baseUnits: string, decimals: number): string {
  const amount = Number(BigInt(baseUnits)) / 10 ** decimals;
  return amount >= WHOLE_FROM ? wholeTokens.format(Math.floor(amount)) : fewTokens.format(amount);
}
