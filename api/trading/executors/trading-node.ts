import { type PublicKey, SolanaJSONRPCError, type VersionedTransactionResponse } from '@solana/web3.js';
import { z } from 'zod';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { Random } from '../../../common/time.ts';
import { createRpc } from '../../chain/rpc.ts';
import { RpcError } from '../../chain/rpc-error.ts';
import { createRpcFetch, defaultLimits, type RpcLimits } from '../../chain/rpc-fetch.ts';
import type { Account } from '../pump/curve-state.ts';

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

/** A node's response to a sent transaction. `error`: the network's error of the preflight; null when the bytes were no valid transaction. */
export type SendResponse = { type: 'forwarded' } | { type: 'refused'; error: unknown } | { type: 'unanswered' };

/** State of a transaction in a block. */
export interface Sighting {
  /** Most of the network has voted for its block. Any other may still be dropped. */
  isSettled: boolean;
}

/** What trading asks of a node. Every call but `send` rejects while the node is away. */
export interface TradingNode {
  /** Reads accounts at one moment, in the newest state (`processed`). */
  accounts(addresses: readonly PublicKey[]): Promise<{ slot: number; accounts: Account[] }>;
  blockhash(): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** Returns the height of the newest finalized block. */
  height(): Promise<number>;
  /** Returns those of up to 256 signatures that are in a block. `history`: also searches blocks that are no longer recent. */
  sightings(signatures: readonly string[], history: boolean): Promise<ReadonlyMap<string, Sighting>>;
  /** Null while the node does not have it, or can't show it. */
  transaction(signature: string): Promise<VersionedTransactionResponse | null>;
  /** Returns lamports that keep an account of so many bytes. */
  rent(bytes: number): Promise<number>;
  /** Returns recent least prices of transactions that wrote to these accounts, microlamports a compute unit. */
  recentPrices(accounts: readonly PublicKey[]): Promise<number[]>;
  /** Returns the result of a transaction if it were executed now. Signatures are not checked. */
  simulate(bytes: Buffer): Promise<{ error: unknown; units: number | null }>;
  genesisHash(): Promise<string>;
  /** Sends a signed transaction (base64) once, and never repeats it by itself. Never rejects. */
  send(bytes: string, options: { preflight: boolean }): Promise<SendResponse>;
  stop(): void;
}

/** Returns whether an error means that the node did not do its work, rather than a fault of ours. */
export function isNodeAway(error: unknown): boolean {
  return error instanceof RpcError || error instanceof SolanaJSONRPCError;
}

const contextual = <Value extends z.ZodType>(value: Value) => z.object({ result: z.object({ value }) });
const simulatedSchema = contextual(z.object({ err: z.unknown(), unitsConsumed: z.number().nullish() }));

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
  const sending = createRpcFetch({ now: monotonic, random, limits: { ...limits, retries: 0 } });
  const rents = new Map<number, number>();

  async function call(to: string, method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await sending.fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.json();
  }

  return {
    async accounts(addresses) {
      const { context, value } = await rpc.request((connection) =>
        connection.getMultipleAccountsInfoAndContext([...addresses], { commitment: 'processed' }),
      );
      return { slot: context.slot, accounts: value };
    },
    blockhash: () => rpc.request((connection) => connection.getLatestBlockhash('confirmed')),
    height: () => rpc.request((connection) => connection.getBlockHeight('finalized')),
    async sightings(signatures, history) {
      const { value } = await rpc.request((connection) =>
        connection.getSignatureStatuses([...signatures], { searchTransactionHistory: history }),
      );
      const seen = signatures.flatMap((signature, index): [string, Sighting][] => {
        const status = value[index];
        if (!status) return [];
        const { confirmationStatus } = status;
        return [[signature, { isSettled: confirmationStatus === 'confirmed' || confirmationStatus === 'finalized' }]];
      });
      return new Map(seen);
    },
    transaction: (signature) =>
      rpc.request((connection) =>
        connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }),
      ),
    async rent(bytes) {
      const known = rents.get(bytes);
      if (known !== undefined) return known;
      const lamports = await rpc.request((connection) => connection.getMinimumBalanceForRentExemption(bytes));
      rents.set(bytes, lamports);
      return lamports;
    },
    async recentPrices(accounts) {
      const fees = await rpc.request((connection) =>
        connection.getRecentPrioritizationFees({ lockedWritableAccounts: [...accounts] }),
      );
      return fees.map(({ prioritizationFee }) => prioritizationFee);
    },
    async simulate(bytes) {
      const options = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true, commitment: 'processed' };
      const { result } = simulatedSchema.parse(
        await call(url, 'simulateTransaction', [bytes.toString('base64'), options]),
      );
      return { error: result.value.err ?? null, units: result.value.unitsConsumed ?? null };
    },
    genesisHash: () => rpc.request((connection) => connection.getGenesisHash()),
    async send(bytes, { preflight }) {
      const options = {
        encoding: 'base64',
        skipPreflight: !preflight,
        preflightCommitment: 'processed',
        maxRetries: 0,
      };
      const send = (to: string) =>
        call(to, 'sendTransaction', [bytes, options]).then(
          sendResponseOf,
          (): SendResponse => ({ type: 'unanswered' }),
        );
      const first = await send(url);
      if (first.type === 'refused') return first;
      // With the node's consent; their responses add nothing, since only the chain decides.
      for (const other of sendUrls)
        void call(other, 'sendTransaction', [bytes, { ...options, skipPreflight: true }]).catch(() => {});
      return first;
    },
    stop() {
      rpc.stop();
      sending.stop();
    },
  };
}

const PREFLIGHT_FAILURE = -32_002;
/** A wrong signature, and bytes that are no transaction or too many. */
const INVALID = new Set([-32_003, -32_602]);
const sendSchema = z.union([
  z.object({ result: z.string() }),
  z.object({ error: z.object({ code: z.number(), data: z.object({ err: z.unknown() }).nullish() }) }),
]);

/** Returns the meaning of a response. Anything but a clear no leaves open whether the bytes are on their way. */
export function sendResponseOf(json: unknown): SendResponse {
  const parsed = sendSchema.safeParse(json);
  if (!parsed.success) return { type: 'unanswered' };
  if ('result' in parsed.data) return { type: 'forwarded' };
  const { code, data } = parsed.data.error;
  if (INVALID.has(code)) return { type: 'refused', error: null };
  if (code !== PREFLIGHT_FAILURE) return { type: 'unanswered' };
  const error = data?.err;
  if (error === 'AlreadyProcessed') return { type: 'forwarded' };
  // A node that lags behind does not know the newest blockhash yet. Others may.
  if (error === 'BlockhashNotFound' || error === undefined || error === null) return { type: 'unanswered' };
  return { type: 'refused', error };
}
