/** Gives test SOL for the asking, by a real transfer of a real account. */
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { CODES, invalidParams, RpcError } from './errors.mjs';
import { readTransaction } from './wire.mjs';

const LAMPORTS_PER_SOL = 1_000_000_000;
/** What one request may ask for. */
export const LARGEST_AIRDROP = 100 * LAMPORTS_PER_SOL;
/** Nine million SOL: below what a JavaScript number holds exactly, and above what a person uses up. */
export const FAUCET_LAMPORTS = 9_000_000n * BigInt(LAMPORTS_PER_SOL);

/**
 * How many airdrops a minute. Their memory is bounded by `total`: whoever is refused by it takes up none.
 * @typedef {{ perRecipient: number, total: number }} FaucetLimits
 * @type {FaucetLimits}
 */
export const defaultFaucetLimits = { perRecipient: 10, total: 100 };
const SECONDS = 60;

/**
 * @param {{
 *   secretKey: Uint8Array,
 *   ledger: ReturnType<typeof import('./ledger.mjs').createLedger>,
 *   slots: ReturnType<typeof import('./slots.mjs').createSlots>,
 *   history: ReturnType<typeof import('./history.mjs').createHistory>,
 *   limits: FaucetLimits,
 * }} parts
 */
export function createFaucet({ secretKey, ledger, slots, history, limits }) {
  const faucet = Keypair.fromSecretKey(secretKey);
  const total = new RateLimiterMemory({ points: limits.total, duration: SECONDS });
  const perRecipient = new RateLimiterMemory({ points: limits.perRecipient, duration: SECONDS });

  const take = async (limiter, key) => {
    try {
      await limiter.consume(key);
    } catch (refused) {
      const retryAfter = Math.ceil((refused.msBeforeNext ?? 1000) / 1000);
      const words = `The faucet has given enough for now; try again in ${retryAfter} s`;
      throw new RpcError(CODES.tooManyRequests, words, { status: 429, retryAfter });
    }
  };

  const transfer = (to, lamports, recentBlockhash) => {
    const transaction = new Transaction({ feePayer: faucet.publicKey, recentBlockhash });
    transaction.add(SystemProgram.transfer({ fromPubkey: faucet.publicKey, toPubkey: new PublicKey(to), lamports }));
    transaction.sign(faucet);
    return readTransaction(transaction.serialize());
  };

  /** The same transfer with the same blockhash would be the same transaction: the second one takes an older blockhash. */
  const unusedTransfer = (to, lamports) => {
    for (const blockhash of slots.blockhashes()) {
      const transaction = transfer(to, lamports, blockhash);
      if (!history.has(transaction.signature)) return transaction;
    }
    throw new RpcError(CODES.tooManyRequests, 'The faucet has given this often enough; try again', { status: 429 });
  };

  /**
   * @param {string} to an address
   * @param {unknown} lamports
   * @returns {Promise<string>} the signature of the transfer, which is on disk
   */
  return async function airdrop(to, lamports) {
    if (!Number.isSafeInteger(lamports) || lamports <= 0)
      throw invalidParams('Invalid param: not an amount of lamports');
    if (lamports > LARGEST_AIRDROP) {
      throw invalidParams(`Invalid param: an airdrop is at most ${LARGEST_AIRDROP / LAMPORTS_PER_SOL} SOL`);
    }
    await take(total, '');
    await take(perRecipient, to);
    const transaction = unusedTransfer(to, lamports);
    const { err } = ledger.simulate(transaction, { verifySignatures: true, anyBlockhash: false });
    const run = err === null ? ledger.execute(transaction) : null;
    if (!run) throw new RpcError(CODES.internal, `airdrop failed: ${JSON.stringify(err)}`);
    await run.written;
    return transaction.signature;
  };
}

/** @returns {{ address: string, secretKey: string }} a faucet for a new chain, base58 */
export function newFaucet() {
  const keypair = Keypair.generate();
  return { address: keypair.publicKey.toBase58(), secretKey: bs58.encode(keypair.secretKey) };
}
