import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/**
 * Account from which the mint addresses of simulated coins are derived, as `createAccountWithSeed` does. Its key pair is public
 * (api/launchpad/launchpad-account.ts): on the local chain it signs the creation of such a mint.
 */
export const SIMULATED_MINT_BASE = 'Cf2DsdY1oUcMh1FDnqAWuXmzp1sJ1t7hyNg2hqUGDVWi';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const base = bs58.decode(SIMULATED_MINT_BASE);
const owner = bs58.decode(TOKEN_PROGRAM);
/** Characters of the creator in a seed of at most 32: enough to be unique. */
const CREATOR_CHARACTERS = 20;

/** What the address of a simulated coin follows from; a stored token has both. `createdAt`: epoch ms. */
export interface MintOrigin {
  creator: string;
  createdAt: number;
}

/** Returns the seed of a coin's mint: at most 32 characters. */
export function mintSeed({ creator, createdAt }: MintOrigin): string {
  return `${creator.slice(0, CREATOR_CHARACTERS)}${createdAt.toString(36)}`;
}

/** Returns the address of a coin's mint: SHA-256 of base, seed and owner. */
export function mintAddress(origin: MintOrigin): string {
  return bs58.encode(createHash('sha256').update(base).update(mintSeed(origin)).update(owner).digest());
}
