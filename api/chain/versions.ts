import { SolanaJSONRPCError } from '@solana/web3.js';

/** Newest version of a transaction that web3.js decodes. */
const NEWEST_VERSION = 1;

/** How every transaction is read: confirmed, in each version that can be decoded. */
export const readable = { commitment: 'confirmed', maxSupportedTransactionVersion: NEWEST_VERSION } as const;

/** A node's refusal of a version that the call does not support. */
const UNSUPPORTED_VERSION = -32_015;

/** Returns the version that a node refuses to return, null where its text does not name it; undefined for any other error. */
export function unreadableVersion(error: unknown): number | null | undefined {
  if (!(error instanceof SolanaJSONRPCError) || error.code !== UNSUPPORTED_VERSION) return undefined;
  const version = /version \((\d{1,3})\)/.exec(error.message)?.[1];
  return version === undefined ? null : Number(version);
}
