import { PublicKey } from '@solana/web3.js';
import { PublicError } from '../../common/errors.ts';
import type { Random } from '../../common/time.ts';
import type { ChainEndpoint } from '../chain/endpoint.ts';
import { createRpc } from '../chain/rpc.ts';

/** A person waits for the reply: one retry, then the node counts as unreachable. */
const LIMITS = { timeoutMs: 3_000, retries: 1, waiting: 50 };

export interface Balances {
  /** Resolves with the lamports of a wallet. Throws `chain-unavailable`. */
  of(walletAddress: string): Promise<bigint>;
  stop(): void;
}

/** Creates the balances of a chain; null: no chain, so every balance is unavailable. */
export function createBalances(chain: ChainEndpoint | null, random: Random): Balances {
  const rpc = chain && createRpc({ url: chain.rpcUrl, random, limits: LIMITS });
  return {
    async of(walletAddress) {
      if (!rpc) throw new PublicError('chain-unavailable');
      try {
        return BigInt(await rpc.request((connection) => connection.getBalance(new PublicKey(walletAddress))));
      } catch {
        // Without the details: the address of the node may contain a provider's key.
        throw new PublicError('chain-unavailable');
      }
    },
    stop: () => rpc?.stop(),
  };
}
