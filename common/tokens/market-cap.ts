import type { Token } from './model.ts';
import { baseUnitsToTokens, roundSignificant } from './units.ts';

/**
 * Market cap in US dollars: price (SOL) × supply × dollars for 1 SOL; null as soon as one of them is not known. It is made of
 * the price as the wire rounds it, and is rounded alike, so that everybody who knows the three works out the same figure.
 */
export function marketCapUsd(
  price: number | null,
  totalSupply: string | null,
  decimals: number | null,
  solUsd: number | null,
): number | null {
  if (price === null || totalSupply === null || decimals === null || solUsd === null) return null;
  return roundSignificant(roundSignificant(price) * baseUnitsToTokens(Number(totalSupply), decimals) * solUsd);
}

/** The market cap that a token has at this rate. */
export function marketCapOf(
  { price, totalSupply, decimals }: Pick<Token, 'price' | 'totalSupply' | 'decimals'>,
  solUsd: number | null,
): number | null {
  return marketCapUsd(price, totalSupply, decimals, solUsd);
}
