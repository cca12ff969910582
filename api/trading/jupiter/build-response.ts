import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  PublicKey,
  TransactionInstruction,
} from '@solana/web3.js';
import { z } from 'zod';
import { reason } from '../../../common/trading/reasons.ts';
import type { Outcome } from '../executors/executor.ts';
import type { TradingNode } from '../executors/trading-node.ts';

/** Most instructions before a swap, accounts of an instruction, bytes of its data, and addresses in a lookup table. */
const SETUP_MAX = 16;
const ACCOUNTS_MAX = 128;
const DATA_MAX = 4_000;
const TABLE_MAX = 256;
const TABLES_MAX = 16;

const publicKey = z.string().transform((text, context) => {
  try {
    return new PublicKey(text);
  } catch {
    context.issues.push({ code: 'custom', input: text, message: 'is no address' });
    return z.NEVER;
  }
});

const instruction = z
  .object({
    programId: publicKey,
    accounts: z
      .array(z.object({ pubkey: publicKey, isSigner: z.boolean(), isWritable: z.boolean() }))
      .max(ACCOUNTS_MAX),
    data: z.base64().max(DATA_MAX),
  })
  .transform(
    ({ programId, accounts, data }) =>
      new TransactionInstruction({ programId, keys: accounts, data: Buffer.from(data, 'base64') }),
  );

const amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const table = z.array(publicKey).max(TABLE_MAX);
const tables = z
  .record(z.string(), table)
  .refine((given) => Object.keys(given).length <= TABLES_MAX, 'has too many lookup tables');

/**
 * Response of Jupiter's `GET /swap/v2/build` (dev.jup.ag/docs/swap/build, checked November 2026). Its compute budget and its blockhash are
 * not read: the transaction has its own.
 */
export const buildResponseSchema = z.object({
  inAmount: amount,
  outAmount: amount,
  setupInstructions: z.array(instruction).max(SETUP_MAX),
  swapInstruction: instruction,
  cleanupInstruction: instruction.nullish(),
  otherInstructions: z.array(instruction).max(SETUP_MAX).nullish(),
  /** Present only when a tip was asked for. */
  tipInstruction: z.unknown().nullish(),
  addressesByLookupTableAddress: tables.nullish(),
});
export type BuildResponse = z.infer<typeof buildResponseSchema>;

/** Returns the instructions of a response in the order in which they run. */
export function instructionsOf(response: BuildResponse): TransactionInstruction[] {
  const { setupInstructions, swapInstruction, cleanupInstruction, otherInstructions } = response;
  return [
    ...setupInstructions,
    swapInstruction,
    ...(cleanupInstruction ? [cleanupInstruction] : []),
    ...(otherInstructions ?? []),
  ];
}

/**
 * Returns the lookup tables of a response as the chain has them; `route-tables` when the response shows other addresses in
 * them: the transaction would then name other accounts than the checked ones. Rejects while the node is away.
 */
export async function lookupTables(
  node: Pick<TradingNode, 'accounts'>,
  { addressesByLookupTableAddress: given }: Pick<BuildResponse, 'addressesByLookupTableAddress'>,
): Promise<Outcome<AddressLookupTableAccount[]>> {
  const refused = { ok: false, reason: reason('route-tables') } as const;
  const entries = Object.entries(given ?? {});
  const keys = entries.map(([address]) => keyOf(address)).filter((key) => key !== null);
  if (keys.length < entries.length) return refused;
  if (keys.length === 0) return { ok: true, value: [] };
  const { accounts } = await node.accounts(keys);
  const tables: AddressLookupTableAccount[] = [];
  for (const [index, key] of keys.entries()) {
    const account = accounts[index];
    if (!account?.owner.equals(AddressLookupTableProgram.programId)) return refused;
    const state = stateOf(account.data);
    // A table only grows: the response may be older than the account.
    const shown = entries[index]?.[1] ?? [];
    if (!state || !shown.every((address, at) => state.addresses[at]?.equals(address))) return refused;
    tables.push(new AddressLookupTableAccount({ key, state: { ...state, addresses: shown } }));
  }
  return { ok: true, value: tables };
}

function keyOf(address: string): PublicKey | null {
  try {
    return new PublicKey(address);
  } catch {
    return null;
  }
}

function stateOf(data: Buffer) {
  try {
    return AddressLookupTableAccount.deserialize(data);
  } catch {
    return null;
  }
}
