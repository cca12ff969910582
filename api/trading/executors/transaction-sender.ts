import { PublicKey } from '@solana/web3.js';
import { z } from 'zod';
import type { Random } from '../../../common/time.ts';
import { createRpcFetch, type RpcLimits } from '../../chain/rpc-fetch.ts';
import type { Account } from '../pump/curve-state.ts';

/** A node's response to a sent transaction. `error`: the network's error of the preflight; null when the bytes were no valid transaction. */
export type SendResponse = { type: 'forwarded' } | { type: 'refused'; error: unknown } | { type: 'no-response' };

/** The result of a simulated transaction. `units`: compute units; `loadedBytes`: data of all accounts; null when the node did not report it. */
export interface Simulated {
  error: unknown;
  units: number | null;
  loadedBytes: number | null;
  accounts: Account[];
}

/** The calls with bytes of a transaction. Neither is repeated by itself. */
export interface TransactionSender {
  /**
   * Returns the result of a transaction if it were executed now, with the states of `accounts` after it; none when it fails.
   * Signatures are not checked.
   */
  simulate(bytes: Buffer, accounts?: readonly PublicKey[]): Promise<Simulated>;
  /** Sends a signed transaction (base64) once, and never repeats it by itself. Never rejects. */
  send(bytes: string, options: { preflight: boolean }): Promise<SendResponse>;
  stop(): void;
}

const contextual = <Value extends z.ZodType>(value: Value) => z.object({ result: z.object({ value }) });
const accountSchema = z
  .object({ lamports: z.int(), owner: z.string(), data: z.tuple([z.base64(), z.literal('base64')]) })
  .transform(
    ({ lamports, owner, data }): Account => ({
      lamports,
      owner: new PublicKey(owner),
      data: Buffer.from(data[0], 'base64'),
    }),
  );
const simulatedSchema = contextual(
  z.object({
    err: z.unknown(),
    unitsConsumed: z.number().nullish(),
    loadedAccountsDataSize: z.number().nullish(),
    accounts: z.array(accountSchema.nullable()).nullish(),
  }),
);

export function createTransactionSender(deps: {
  url: string;
  /** Further addresses that transactions are sent to. */
  sendUrls: readonly string[];
  random: Random;
  monotonic: () => number;
  limits: RpcLimits;
}): TransactionSender {
  const { url, sendUrls, random, monotonic, limits } = deps;
  const { call, stop } = createRpcFetch({ now: monotonic, random, limits });

  return {
    stop,
    async simulate(bytes, accounts = []) {
      const addresses = accounts.map((account) => account.toBase58());
      const options = {
        encoding: 'base64',
        sigVerify: false,
        replaceRecentBlockhash: true,
        commitment: 'processed',
        ...(addresses.length > 0 ? { accounts: { encoding: 'base64', addresses } } : {}),
      };
      const response = await call(url, 'simulateTransaction', [bytes.toString('base64'), options]);
      const { value } = simulatedSchema.parse(response).result;
      return {
        error: value.err ?? null,
        units: value.unitsConsumed ?? null,
        loadedBytes: value.loadedAccountsDataSize ?? null,
        accounts: value.accounts ?? [],
      };
    },
    async send(bytes, { preflight }) {
      const options = { encoding: 'base64', preflightCommitment: 'processed', maxRetries: 0 };
      const sent = (to: string, skipPreflight: boolean): Promise<SendResponse> =>
        call(to, 'sendTransaction', [bytes, { ...options, skipPreflight }]).then(sendResponseOf, () => ({
          type: 'no-response',
        }));
      const first = await sent(url, !preflight);
      if (first.type === 'refused') return first;
      // Only once the preflight did not refuse it. Their responses add nothing, since only the chain decides.
      for (const other of sendUrls) void sent(other, true);
      return first;
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
function sendResponseOf(json: unknown): SendResponse {
  const parsed = sendSchema.safeParse(json);
  if (!parsed.success) return { type: 'no-response' };
  if ('result' in parsed.data) return { type: 'forwarded' };
  const { code, data } = parsed.data.error;
  if (INVALID.has(code)) return { type: 'refused', error: null };
  if (code !== PREFLIGHT_FAILURE) return { type: 'no-response' };
  const error = data?.err;
  if (error === 'AlreadyProcessed') return { type: 'forwarded' };
  // A node that lags behind does not know the newest blockhash yet. Others may.
  if (error === 'BlockhashNotFound' || error === undefined || error === null) return { type: 'no-response' };
  return { type: 'refused', error };
}
