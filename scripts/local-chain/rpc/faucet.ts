/** Airdrops of test SOL, as real transfers from a real account. */
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { History } from '../ledger/history.ts';
import type { CheckedTransaction, Ledger } from '../ledger/ledger.ts';
import type { Slots } from '../ledger/slots.ts';
import { checkTransaction } from './decode-transaction.ts';
import { CODES, invalidParams, RpcError } from './errors.ts';

const LAMPORTS_PER_SOL = 1_000_000_000;
const LARGEST_AIRDROP = 100 * LAMPORTS_PER_SOL;
/** Nine million SOL: below the limit of a JavaScript number, and more than a person uses up. */
const FAUCET_LAMPORTS = 9_000_000n * BigInt(LAMPORTS_PER_SOL);
const DURATION_SECONDS = 60;

interface Parts {
  secretKey: Uint8Array;
  ledger: Ledger;
  slots: Slots;
  history: History;
  /** Airdrops per minute. */
  limits: { perRecipient: number; total: number };
}

/** Returns a faucet account for a new chain; the secret key in base58. */
export function newFaucet(): { address: string; secretKey: string; lamports: bigint } {
  const keypair = Keypair.generate();
  const secretKey = bs58.encode(keypair.secretKey);
  return { address: keypair.publicKey.toBase58(), secretKey, lamports: FAUCET_LAMPORTS };
}

/** Creates the faucet: a function that resolves with the signature of a transfer that is on disk. */
export function createFaucet({ secretKey, ledger, slots, history, limits }: Parts) {
  const faucet = Keypair.fromSecretKey(secretKey);
  const total = new RateLimiterMemory({ points: limits.total, duration: DURATION_SECONDS });
  const perRecipient = new RateLimiterMemory({ points: limits.perRecipient, duration: DURATION_SECONDS });

  const transfer = (to: string, lamports: number, recentBlockhash: string): CheckedTransaction => {
    const transaction = new Transaction({ feePayer: faucet.publicKey, recentBlockhash });
    transaction.add(SystemProgram.transfer({ fromPubkey: faucet.publicKey, toPubkey: new PublicKey(to), lamports }));
    transaction.sign(faucet);
    return checkTransaction(transaction.serialize());
  };

  /** The same transfer with the same blockhash is the same transaction, so a repeated one uses an older blockhash. */
  const unusedTransfer = (to: string, lamports: number): CheckedTransaction => {
    for (const blockhash of slots.blockhashes()) {
      const transaction = transfer(to, lamports, blockhash);
      if (!history.has(transaction.signature)) return transaction;
    }
    throw new RpcError(CODES.tooManyRequests, 'Too many equal airdrops; try again later', { status: 429 });
  };

  return async function airdrop(to: string, lamports: unknown): Promise<string> {
    if (typeof lamports !== 'number' || !Number.isSafeInteger(lamports) || lamports <= 0) {
      throw invalidParams('Invalid param: not an amount of lamports');
    }
    if (lamports > LARGEST_AIRDROP) {
      throw invalidParams(`Invalid param: an airdrop is at most ${LARGEST_AIRDROP / LAMPORTS_PER_SOL} SOL`);
    }
    // The total first: it bounds the number of recipients in memory.
    await consume(total, 'all');
    await consume(perRecipient, to);
    const transaction = unusedTransfer(to, lamports);
    const { err } = ledger.simulate(transaction, { verifySignatures: true, anyBlockhash: false });
    const executed = err === null ? ledger.execute(transaction) : null;
    if (!executed) throw new RpcError(CODES.internal, `airdrop failed: ${JSON.stringify(err)}`);
    await executed.written;
    return transaction.signature;
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    const waitMs = refused instanceof RateLimiterRes ? refused.msBeforeNext : 1000;
    const retryAfter = Math.ceil(waitMs / 1000);
    const message = `The faucet has reached its limit; try again in ${retryAfter} s`;
    throw new RpcError(CODES.tooManyRequests, message, { status: 429, retryAfter });
  }
}
