import bs58 from 'bs58';
import { z } from 'zod';
import { chainClusterSchema } from '../client-config/model.ts';
import { addressSchema } from '../tokens/model.ts';
import { refusals } from './failure.ts';

/** Buys and sells of tokens, transfers of SOL out of and into the wallet, and test SOL from the faucet. */
export const transactionTypes = ['buy', 'sell', 'transfer_out', 'transfer_in', 'airdrop'] as const;
export const transactionTypeSchema = z.enum(transactionTypes);
export type TransactionType = z.infer<typeof transactionTypeSchema>;

/** `pending` until the chain decides: then `confirmed`, or `failed` for good (decision 5). */
export const transactionStatuses = ['pending', 'confirmed', 'failed'] as const;
/** A trade without a verdict in time is `unknown`, until the chain decides after all (decision 44). */
export const transactionStatusSchema = z.enum([...transactionStatuses, 'unknown']);
export type TransactionStatus = z.infer<typeof transactionStatusSchema>;

const SIGNATURE_BYTES = 64;
/** Signature of a transaction: base58 of exactly 64 bytes. A node refuses a whole list when one of them is invalid. */
export const signatureSchema = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'is not a signature')
  .refine((text) => bs58.decodeUnsafe(text)?.length === SIGNATURE_BYTES, 'is not a signature');

/** A transaction of a user. Amounts in SOL; unknown is null. */
export const transactionSchema = z.strictObject({
  id: z.string(),
  type: transactionTypeSchema,
  status: transactionStatusSchema,
  /** The traded token; null for SOL itself. */
  token: z.strictObject({ address: z.string(), name: z.string().nullable(), symbol: z.string().nullable() }).nullable(),
  /** SOL spent, received or sent, without the fee. A purchase: spent with the launchpad's fee; a sale: received without it (decision 47). */
  amount: z.number().nullable(),
  /** SOL for one whole token on average, without fees; null for a transfer. */
  price: z.number().nullable(),
  /** Fee of the network, with priority and tip, in SOL; null until the chain reports it, and for a user who did not pay it. */
  fee: z.number().nullable(),
  /** Gain or loss of a sale after all costs, in SOL; null for any other, and while it is not known. */
  profit: z.number().nullable(),
  /** The other side of a transfer. */
  counterparty: z.string().nullable(),
  /** On paper, a name of its own. */
  signature: z.string(),
  /** Null on paper. */
  cluster: chainClusterSchema.nullable(),
  /** The order of a buy or sell; otherwise null. */
  orderId: z.string().nullable(),
  /** Reason of the failure in one sentence; otherwise null. */
  failure: z.string().nullable(),
  /** Times of recording and of the last status change, ISO 8601. */
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Transaction = z.infer<typeof transactionSchema>;

/** Largest integer that a JSON number carries exactly; no wallet holds more lamports. */
const LAMPORTS_MAX = Number.MAX_SAFE_INTEGER;

/**
 * A transaction that the wallet page has signed, recorded before or after sending. These values are shown while it is
 * pending; afterwards the values of the chain. `lastValidBlockHeight`: it can't be confirmed beyond this height. `refusal`:
 * why a node did not forward it, which becomes the reason once it can't be confirmed any more.
 */
export const recordTransactionSchema = z.strictObject({
  type: z.enum(['transfer_out', 'airdrop']),
  signature: signatureSchema,
  lamports: z.int().min(1).max(LAMPORTS_MAX),
  /** The recipient of a transfer; the wallet itself for an airdrop. */
  recipient: addressSchema,
  lastValidBlockHeight: z.int().min(0),
  refusal: z.enum(refusals).optional(),
});
export type RecordTransaction = z.infer<typeof recordTransactionSchema>;
