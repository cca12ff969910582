import { PublicKey } from '@solana/web3.js';
import { PublicError } from '../../common/errors.ts';
import type { Random } from '../../common/time.ts';
import type { ChainEndpoint } from '../chain/endpoint.ts';
import { createRpc } from '../chain/rpc.ts';

/** A person waits for the answer: one repetition, and then it is said that the node can't be reached. */
const LIMITS = { timeoutMs: 3_000, retries: 1, waiting: 50 };

export interface Balances {
  /** Lamports of a wallet. Throws `chain-unavailable`. */
  of(walletAddress: string): Promise<bigint>;
  stop(): void;
}

/** Balances on this chain; null: there is no chain, and nothing is known. */
export function createBalances(chain: ChainEndpoint | null, random: Random): Balances {
  const rpc = chain && createRpc({ url: chain.rpcUrl, random, limits: LIMITS });
  return {
    async of(walletAddress) {
      if (!rpc) throw new PublicError('chain-unavailable');
      try {
        return BigInt(await rpc.request((connection) => connection.getBalance(new PublicKey(walletAddress))));
      } catch {
        // Whatever the node said: an address that may hold a provider's key must not get into an answer.
        throw new PublicError('chain-unavailable');
      }
    },
    stop: () => rpc?.stop(),
  };
}
