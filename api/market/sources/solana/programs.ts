import { PublicKey } from '@solana/web3.js';
import type { QuoteKind } from '../observation.ts';

/** The pump.fun launchpad. */
export const pumpProgram = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
/** PumpSwap, where a coin trades once its curve is complete. */
export const pumpSwapProgram = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';

export const wrappedSol = 'So11111111111111111111111111111111111111112';
export const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
/** pump.fun's value for "no account", and for native SOL as the quote. */
export const noAddress = '11111111111111111111111111111111';

/** Quote mints, which are never a new coin. */
export const quoteMints: ReadonlySet<string> = new Set([wrappedSol, usdc, usdt, noAddress]);

/** Returns the kind of quote that a quote mint is. */
export function quoteOfMint(mint: string): QuoteKind {
  if (mint === wrappedSol) return 'SOL';
  return mint === usdc ? 'USDC' : 'other';
}

/** Decimals of every pump.fun coin; not part of its events. */
export const pumpDecimals = 6;

/** Returns the address of the coin's bonding curve account. Throws on an address that is not 32 bytes. */
export function bondingCurveOf(mint: string): string {
  return derived(pumpProgram, ['bonding-curve', new PublicKey(mint).toBuffer()]);
}

/**
 * Returns the account that creates the coin's canonical pool when its curve is complete; everybody else who creates a pool of
 * the coin does so under another address. Throws on an address that is not 32 bytes.
 */
export function poolAuthorityOf(mint: string): string {
  return derived(pumpProgram, ['pool-authority', new PublicKey(mint).toBuffer()]);
}

function derived(program: string, seeds: readonly (string | Uint8Array)[]): string {
  return programAddress(seeds, new PublicKey(program)).toBase58();
}

/** Returns the address that a program derives from these seeds. */
export function programAddress(seeds: readonly (string | Uint8Array)[], program: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync(
    seeds.map((seed) => Buffer.from(seed)),
    program,
  )[0];
}
