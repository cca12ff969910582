import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import type { Reserves } from '../market/sources/observation.ts';
import { programAddress, pumpDecimals, pumpProgram } from '../market/sources/solana/programs.ts';
import {
  createTokenAccount as createAccount,
  curveOf,
  reads,
  signs,
  tokenAccountOf,
  writes,
} from '../trading/pump/instructions.ts';
import { pumpAddresses } from '../trading/pump/interface.ts';
import { simulatedMintBase } from './launchpad-account.ts';

/** First bytes of the instructions that only the local chain has: sha256 of `global:list_simulated_coin`, `global:crowd_trade`. */
const LIST_DISCRIMINATOR = 'ddd3a3af0d8b2cb3';
const CROWD_DISCRIMINATOR = '0b07cec039f0f2c8';
const MINT_BYTES = 82;
const MINT_RENT = 1_461_600;
const INITIALIZE_MINT_2 = 20;
const SET_AUTHORITY = 6;
const MINT_AUTHORITY = 0;

/** A simulated coin at the moment of its listing. */
export interface ListedCoin {
  mint: PublicKey;
  /** Seed of the mint under the public base, which signs its creation. */
  seed: string;
  creator: PublicKey;
  reserves: Reserves;
}

/** The token program of simulated coins. */
export const tokenProgram = new PublicKey(pumpAddresses.quoteTokenProgram);

/** Returns the instruction that creates an owner's token account of a coin, where it is missing. */
export function createTokenAccount(payer: PublicKey, owner: PublicKey, mint: PublicKey): TransactionInstruction {
  return createAccount({ user: owner.toBase58(), tokenProgram: tokenProgram.toBase58(), mint: mint.toBase58() }, payer);
}

/**
 * Returns the instructions that put a simulated coin on the chain as it is: its mint, its curve with the reserves, the vault with
 * the tokens that are left, and an account of the launchpad's key with all others, which stand for the simulated holders. The
 * key pays for rent and for the curve's SOL, and signs together with the public base of simulated mints. As on pump.fun,
 * no account can mint or freeze afterwards.
 */
export function listingOf(coin: ListedCoin, key: PublicKey): TransactionInstruction[] {
  const { mint, seed } = coin;
  const create = SystemProgram.createAccountWithSeed({
    fromPubkey: key,
    newAccountPubkey: mint,
    basePubkey: simulatedMintBase().publicKey,
    seed,
    space: MINT_BYTES,
    lamports: MINT_RENT,
    programId: tokenProgram,
  });
  const initialize = new TransactionInstruction({
    programId: tokenProgram,
    keys: [writes(mint)],
    data: Buffer.concat([Buffer.from([INITIALIZE_MINT_2, pumpDecimals]), key.toBuffer(), Buffer.from([0])]),
  });
  const revoke = new TransactionInstruction({
    programId: tokenProgram,
    keys: [writes(mint), { ...signs(key), isWritable: false }],
    data: Buffer.from([SET_AUTHORITY, MINT_AUTHORITY, 0]),
  });
  const accounts = [curveOf(mint), key].map((owner) => createTokenAccount(key, owner, mint));
  return [create, initialize, ...accounts, listInstruction(coin, key), revoke];
}

/**
 * Returns a trade of a simulated wallet: the launchpad's key makes `trade`, an instruction of pump.fun with the key as its user,
 * and the event names `wallet` as the trader.
 */
export function crowdTrade(trade: TransactionInstruction, wallet: PublicKey): TransactionInstruction {
  const { programId, keys, data } = trade;
  return new TransactionInstruction({
    programId,
    keys,
    data: Buffer.concat([Buffer.from(CROWD_DISCRIMINATOR, 'hex'), wallet.toBuffer(), data]),
  });
}

/** Returns the program's own part of a listing. */
export function listInstruction({ mint, creator, reserves }: ListedCoin, key: PublicKey): TransactionInstruction {
  const program = new PublicKey(pumpProgram);
  const data = Buffer.alloc(72);
  data.write(LIST_DISCRIMINATOR, 'hex');
  creator.toBuffer().copy(data, 8);
  const { virtualToken, virtualQuote, realToken, realQuote } = reserves;
  [virtualToken, virtualQuote, realToken, realQuote].forEach((value, index) => {
    data.writeBigUInt64LE(BigInt(value), 40 + 8 * index);
  });
  const curve = curveOf(mint);
  return new TransactionInstruction({
    programId: program,
    keys: [
      reads(programAddress(['global'], program)),
      writes(mint),
      writes(curve),
      writes(tokenAccountOf(curve, tokenProgram, mint)),
      writes(tokenAccountOf(key, tokenProgram, mint)),
      writes(programAddress(['creator-vault', creator.toBytes()], program)),
      signs(key),
      reads(tokenProgram),
      reads(SystemProgram.programId),
    ],
    data,
  });
}
