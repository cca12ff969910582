import { z } from 'zod';
import type { ChainConfig } from '../../common/client-config/model.ts';
import { retryingFetch } from '../chain/failed-calls.ts';

/** Newest version of transactions that this page reads. */
const NEWEST_VERSION = 1;
/** Transactions shown of an account, newest first. */
export const SIGNATURES_SHOWN = 25;

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** An instruction: with its parts by name where the node knows the program, otherwise its data in base58. */
const instructionSchema = z.object({
  programId: z.string(),
  program: z.string().optional(),
  parsed: z.union([z.string(), z.object({ type: z.string(), info: z.record(z.string(), z.json()) })]).optional(),
  accounts: z.array(z.string()).optional(),
  data: z.string().optional(),
});
export type NodeInstruction = z.infer<typeof instructionSchema>;

const tokenBalanceSchema = z.object({
  accountIndex: z.int(),
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: z.string(), decimals: z.int() }),
});

/** `getTransaction` with the encoding `jsonParsed`. Balances in lamports, `blockTime` in seconds. */
const transactionSchema = z.object({
  slot: z.int(),
  blockTime: z.int().nullish(),
  version: z.union([z.literal('legacy'), z.int()]).optional(),
  transaction: z.object({
    signatures: z.array(z.string()),
    message: z.object({
      accountKeys: z.array(z.object({ pubkey: z.string(), signer: z.boolean(), writable: z.boolean() })),
      instructions: z.array(instructionSchema),
    }),
  }),
  meta: z.object({
    err: z.json(),
    fee: z.number(),
    computeUnitsConsumed: z.int().optional(),
    preBalances: z.array(z.number()),
    postBalances: z.array(z.number()),
    preTokenBalances: z.array(tokenBalanceSchema).nullish(),
    postTokenBalances: z.array(tokenBalanceSchema).nullish(),
    innerInstructions: z.array(z.object({ index: z.int(), instructions: z.array(instructionSchema) })).nullish(),
    logMessages: z.array(z.string()).nullish(),
  }),
});
export type NodeTransaction = z.infer<typeof transactionSchema>;

const accountSchema = z.object({
  lamports: z.number(),
  owner: z.string(),
  executable: z.boolean(),
  space: z.int().optional(),
  data: z.union([
    z.tuple([z.string(), z.string()]),
    z.object({ program: z.string(), parsed: z.object({ type: z.string(), info: z.record(z.string(), z.json()) }) }),
  ]),
});
export type NodeAccount = z.infer<typeof accountSchema>;

const withValue = <Value extends z.ZodType>(value: Value) => z.object({ value });

const heldSchema = z.object({
  pubkey: z.string(),
  account: z.object({
    data: z.object({
      parsed: z.object({
        info: z.object({
          mint: z.string(),
          tokenAmount: z.object({ amount: z.string(), decimals: z.int() }),
        }),
      }),
    }),
  }),
});

/** Tokens in one of an account's token accounts: base units as text. */
export interface HeldTokens {
  account: string;
  mint: string;
  amount: string;
  decimals: number;
}

const signatureSchema = z.object({
  signature: z.string(),
  slot: z.int(),
  blockTime: z.int().nullish(),
  err: z.json(),
});
export type NodeSignature = z.infer<typeof signatureSchema>;

/** An account with what it holds and what happened to it. `account` is null where the chain has none at the address. */
export interface AccountView {
  account: NodeAccount | null;
  tokens: HeldTokens[];
  signatures: NodeSignature[];
}

const responseSchema = z.union([
  z.object({ error: z.object({ message: z.string() }) }),
  z.object({ result: z.json() }),
]);

const fetchFromNode = retryingFetch((ms) => new Promise((resolve) => setTimeout(resolve, ms)));

/** Calls the node of the configured chain. Throws `ChainError` while it is away, and an error with the node's own words for a refusal. */
async function call<Result extends z.ZodType>(
  { rpcUrl }: ChainConfig,
  result: Result,
  method: string,
  ...params: unknown[]
): Promise<z.output<Result>> {
  const response = await fetchFromNode(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = responseSchema.parse(await response.json());
  if ('error' in body) throw new Error(body.error.message);
  return result.parse(body.result);
}

const confirmed = { commitment: 'confirmed' };

/** Reads a transaction; null while the chain has none with this signature. */
export function readTransaction(chain: ChainConfig, signature: string): Promise<NodeTransaction | null> {
  const options = { ...confirmed, encoding: 'jsonParsed', maxSupportedTransactionVersion: NEWEST_VERSION };
  return call(chain, transactionSchema.nullable(), 'getTransaction', signature, options);
}

/** Reads an account, its tokens and its newest transactions. */
export async function readAccount(chain: ChainConfig, address: string): Promise<AccountView> {
  const parsed = { ...confirmed, encoding: 'jsonParsed' };
  const tokensOf = (programId: string) =>
    call(chain, withValue(z.array(heldSchema)), 'getTokenAccountsByOwner', address, { programId }, parsed);
  const [account, plain, extended, signatures] = await Promise.all([
    call(chain, withValue(accountSchema.nullable()), 'getAccountInfo', address, parsed),
    tokensOf(TOKEN_PROGRAM),
    tokensOf(TOKEN_2022_PROGRAM),
    call(chain, z.array(signatureSchema), 'getSignaturesForAddress', address, {
      ...confirmed,
      limit: SIGNATURES_SHOWN,
    }),
  ]);
  const tokens = [...plain.value, ...extended.value].map(({ pubkey, account: { data } }) => ({
    account: pubkey,
    mint: data.parsed.info.mint,
    ...data.parsed.info.tokenAmount,
  }));
  return { account: account.value, tokens, signatures };
}
