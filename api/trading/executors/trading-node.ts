import { type PublicKey, SolanaJSONRPCError } from '@solana/web3.js';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import { HOUR, type Random } from '../../../common/time.ts';
import { createRpc } from '../../chain/rpc.ts';
import { RpcError } from '../../chain/rpc-error.ts';
import { defaultLimits, type RpcLimits } from '../../chain/rpc-fetch.ts';
import { type ChainTransactions, chainTransactions } from '../../chain/transactions.ts';
import type { Account } from '../pump/curve-state.ts';
import { createTransactionSender, type TransactionSender } from './transaction-sender.ts';

/** The work of an order is retried by its worker, which knows what may be repeated; the client adds little. */
const LIMITS: RpcLimits = {
  ...defaultLimits,
  perSecond: 20,
  burst: 40,
  inFlight: 16,
  timeoutMs: 5_000,
  retries: 1,
  circuitFailures: Number.POSITIVE_INFINITY,
};
/** The operator's own node needs no rate limit. */
const LOCAL_LIMITS: RpcLimits = {
  ...LIMITS,
  perSecond: 5_000,
  burst: 5_000,
  inFlight: 64,
  timeoutMs: 3_000,
  retries: 0,
};

/** The network changes the rent at the begin of an epoch, ms. */
const RENT_AGE_MS = HOUR;

/** What trading asks of a node. Every call but `send` rejects while the node is away. */
export interface TradingNode extends TransactionSender, ChainTransactions {
  /** Reads accounts at one moment, in the newest state (`processed`). */
  accounts(addresses: readonly PublicKey[]): Promise<{ slot: number; accounts: Account[] }>;
  blockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** Returns lamports that keep an account of so many bytes, asked once an hour; the last ones while the node is away. */
  rent(bytes: number): Promise<number>;
  /** Returns recent least prices of transactions that wrote to these accounts, microlamports a compute unit. */
  recentPrices(accounts: readonly PublicKey[]): Promise<number[]>;
  genesisHash(): Promise<string>;
}

/** Returns whether an error means that the node did not do its work, rather than a fault of ours. */
export function isNodeAway(error: unknown): boolean {
  return error instanceof RpcError || error instanceof SolanaJSONRPCError;
}

export function createTradingNode(deps: {
  url: string;
  cluster: ChainCluster;
  random: Random;
  /** Further addresses that transactions are sent to. */
  sendUrls?: readonly string[];
  /** Monotonic time, ms. */
  monotonic?: () => number;
}): TradingNode {
  const { url, cluster, random, sendUrls = [], monotonic = () => performance.now() } = deps;
  const limits = cluster === 'local' ? LOCAL_LIMITS : LIMITS;
  const rpc = createRpc({ url, random, limits, monotonic });
  const sender = createTransactionSender({ url, sendUrls, random, monotonic, limits: { ...limits, retries: 0 } });
  /** By bytes: the rent, and when it was read (monotonic, ms). */
  const rents = new Map<number, { lamports: number; at: number }>();

  return {
    ...chainTransactions(rpc),
    async accounts(addresses) {
      const { context, value } = await rpc.request((connection) =>
        connection.getMultipleAccountsInfoAndContext([...addresses], { commitment: 'processed' }),
      );
      return { slot: context.slot, accounts: value };
    },
    async blockhash() {
      // `getLatestBlockhash` hides the kind of a failure in a text.
      const { value } = await rpc.request((connection) => connection.getLatestBlockhashAndContext('confirmed'));
      return value;
    },
    async rent(bytes) {
      const known = rents.get(bytes);
      if (known && monotonic() - known.at < RENT_AGE_MS) return known.lamports;
      try {
        const lamports = await rpc.request((connection) => connection.getMinimumBalanceForRentExemption(bytes));
        rents.set(bytes, { lamports, at: monotonic() });
        return lamports;
      } catch (error) {
        if (known && isNodeAway(error)) return known.lamports;
        throw error;
      }
    },
    async recentPrices(accounts) {
      const fees = await rpc.request((connection) =>
        connection.getRecentPrioritizationFees({ lockedWritableAccounts: [...accounts] }),
      );
      return fees.map(({ prioritizationFee }) => prioritizationFee);
    },
    simulate: sender.simulate,
    genesisHash: () => rpc.request((connection) => connection.getGenesisHash()),
    send: sender.send,
    stop() {
      rpc.stop();
      sender.stop();
    },
  };
}
