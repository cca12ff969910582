import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import type { TradedReserves } from '../../common/tokens/curve-trades.ts';
import { pumpProgram } from '../market/sources/solana/programs.ts';
import type { SwapProgram } from '../trading/jupiter/swap-terms.ts';
import type { Account } from '../trading/pump/curve-state.ts';
import { curveOf, derive, GLOBAL_ACCOUNT, reads, signs, tokenAccountOf, writes } from '../trading/pump/instructions.ts';
import { createTokenAccount, tokenProgram } from './instructions.ts';

/**
 * Pools of the local chain, where a coin trades after its curve is sold out. They belong to the launchpad's program, stand at the
 * address derived from `pool` and the mint, and keep native SOL, so that no trade wraps any. Prices and fees are those of
 * `common/tokens/pool-trades.ts`.
 *
 * `pool_swap`: eight bytes of discriminator, the amount in and the least amount out (u64, lamports or base units; with all fees), and
 * one byte: 1 for a purchase, 0 for a sale. Accounts: global · mint · curve · token program · pool (w) · token account of the pool (w) ·
 * user (w, s) · token account of the user (w) · fee recipient (w) · creator vault (w) · system program. The token account of the user has
 * to exist. Errors: 6004 less than the least amount, 6020 and 6022 a purchase or sale of or for nothing, 6023 a sale of more than
 * the supply, 6024 an amount beyond all numbers, 3012 no pool, 6000 another fee recipient, 2006 another account than the derived
 * one, 1 too small a balance.
 *
 * The account of a pool: discriminator, mint, creator (32 bytes each), base units and lamports in the pool (u64 each).
 */

/** First bytes of instructions and of the account: sha256 of `global:pool_swap`, `global:migrate_simulated_coin`, `account:SimulatedPool`. */
const SWAP_DISCRIMINATOR = '2cee46c4edcc9d78';
const MIGRATE_DISCRIMINATOR = 'f0f5a8a5ec86f530';
const POOL_DISCRIMINATOR = 'b7a750df2d8cb533';
const SWAP_BYTES = 25;
const POOL_BYTES = 88;
const CREATOR = 40;
const RESERVES = 72;

/** A trade in a coin's pool. */
export interface PoolSwap {
  mint: PublicKey;
  /** Creator of the coin, as its pool names it. */
  creator: PublicKey;
  /** Signs and pays; the tokens move from or to its associated account. */
  user: PublicKey;
  /** One of the launchpad's fee recipients. */
  feeRecipient: PublicKey;
  side: 'buy' | 'sell';
  /** A purchase: lamports, fees included. A sale: base units. */
  amountIn: bigint;
  /** A purchase: base units. A sale: lamports after fees. */
  leastOut: bigint;
}

const program = new PublicKey(pumpProgram);

/** Returns the address of a coin's pool. */
export function poolOf(mint: PublicKey): PublicKey {
  return derive(['pool', mint.toBuffer()], program);
}

/** Returns a purchase or sale in a coin's pool. Fails with 6004 when it would bring less than the least amount. */
export function poolSwapInstruction(swap: PoolSwap): TransactionInstruction {
  const { mint, creator, user, feeRecipient, side, amountIn, leastOut } = swap;
  const pool = poolOf(mint);
  const data = Buffer.alloc(SWAP_BYTES);
  data.write(SWAP_DISCRIMINATOR, 'hex');
  data.writeBigUInt64LE(amountIn, 8);
  data.writeBigUInt64LE(leastOut, 16);
  data.writeUInt8(side === 'buy' ? 1 : 0, 24);
  return new TransactionInstruction({
    programId: program,
    keys: [
      ...[GLOBAL_ACCOUNT, mint, curveOf(mint), tokenProgram].map(reads),
      writes(pool),
      writes(tokenAccountOf(pool, tokenProgram, mint)),
      signs(user),
      writes(tokenAccountOf(user, tokenProgram, mint)),
      writes(feeRecipient),
      writes(derive(['creator-vault', creator.toBuffer()], program)),
      reads(SystemProgram.programId),
    ],
    data,
  });
}

/**
 * Returns the instructions that move a sold-out curve into its pool: SOL without the migration fee, and the tokens that the curve never
 * sold. The launchpad's key signs, pays for rent, and receives the migration fee.
 */
export function migrateInstructions(mint: PublicKey, key: PublicKey): TransactionInstruction[] {
  const [curve, pool] = [curveOf(mint), poolOf(mint)];
  const migrate = new TransactionInstruction({
    programId: program,
    keys: [
      ...[GLOBAL_ACCOUNT, mint].map(reads),
      writes(curve),
      reads(tokenProgram),
      writes(tokenAccountOf(curve, tokenProgram, mint)),
      signs(key),
      reads(SystemProgram.programId),
      writes(pool),
      writes(tokenAccountOf(pool, tokenProgram, mint)),
    ],
    data: Buffer.from(MIGRATE_DISCRIMINATOR, 'hex'),
  });
  return [createTokenAccount(key, pool, mint), migrate];
}

/** Returns the state of a pool, whose real and virtual reserves are the same; null when the account is none. */
export function readPool(account: Account): { mint: PublicKey; creator: PublicKey; reserves: TradedReserves } | null {
  if (account === null || !account.owner.equals(program) || account.data.length < POOL_BYTES) return null;
  const { data } = account;
  if (data.toString('hex', 0, 8) !== POOL_DISCRIMINATOR) return null;
  const [token, quote] = [RESERVES, RESERVES + 8].map((at) => Number(data.readBigUInt64LE(at)));
  if (!quote || !token) return null;
  return {
    mint: new PublicKey(data.subarray(8, CREATOR)),
    creator: new PublicKey(data.subarray(CREATOR, RESERVES)),
    reserves: { virtualQuote: quote, virtualToken: token, realQuote: quote, realToken: token },
  };
}

/** The program of pools, as the check before a signature reads its swaps. */
export const poolProgram: SwapProgram = {
  id: pumpProgram,
  termsOf(data) {
    if (data.length !== SWAP_BYTES || data.toString('hex', 0, 8) !== SWAP_DISCRIMINATOR) return null;
    return { amountIn: data.readBigUInt64LE(8), leastOut: data.readBigUInt64LE(16) };
  },
};
