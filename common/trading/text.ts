import { solText } from '../tokens/units.ts';

/** From this amount on, fractions of a token are left out. */
const WHOLE_FROM = 1_000;
const wholeTokens = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fewTokens = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });

/** Returns lamports as '0.1 SOL', exactly. */
export function sol(lamports: number): string {
  return `${solText(BigInt(lamports))} SOL`;
}

/** Returns base units as whole tokens, rounded for reading. */
export function tokensText(baseUnits: string, decimals: number): string {
  const amount = Number(BigInt(baseUnits)) / 10 ** decimals;
  return (amount >= WHOLE_FROM ? wholeTokens : fewTokens).format(amount);
}
