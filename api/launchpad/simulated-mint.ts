import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { type MintOrigin, mintAddress, mintSeed } from '../market/sources/simulator/coin/mint-address.ts';

/**
 * Returns the key pair under which the mints of simulated coins are created. It is public on purpose: it holds nothing, it only
 * lets the local chain create a mint at an address that the simulator chose before.
 */
export function simulatedMintBase(): Keypair {
  return Keypair.fromSeed(createHash('sha256').update('mintwatch: base of simulated mints').digest());
}

/**
 * Returns the seed of a coin's mint under the base; null for a coin whose address does not follow from its origin, such as
 * one of an earlier version: no key can create it.
 */
export function seedOfMint(address: string, origin: MintOrigin): string | null {
  return mintAddress(origin) === address ? mintSeed(origin) : null;
}
