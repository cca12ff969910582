import { PublicKey } from '@solana/web3.js';

/** The pump.fun launchpad. */
export const pumpProgram = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
/** PumpSwap, where a coin trades once its curve is complete. */
export const pumpSwapProgram = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';

export const wrappedSol = 'So11111111111111111111111111111111111111112';
export const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
/** What pump.fun writes for "no account", and for native SOL as the quote. */
export const noAddress = '11111111111111111111111111111111';

/** What coins are paid with. None of them is ever a new coin, whatever an event says. */
export const quoteMints: ReadonlySet<string> = new Set([wrappedSol, usdc, usdt, noAddress]);

/** Every pump.fun coin is minted with six decimals; its events do not repeat it. */
export const pumpDecimals = 6;

/** Address of the coin's bonding curve account. Throws on an address that is not 32 bytes. */
export function bondingCurveOf(mint: string): string {
  const seeds = [Buffer.from('bonding-curve'), new PublicKey(mint).toBuffer()];
  return PublicKey.findProgramAddressSync(seeds, new PublicKey(pumpProgram))[0].toBase58();
}
