import type { ChainConfig } from '../../common/client-config/model.ts';

/** Largest transaction in bytes: one network packet (specification, section 9). */
export const TRANSACTION_BYTES_MAX = 1232;
/**
 * Time for which a blockhash may be reused to estimate fees, ms. It is valid for 150 blocks, about 30 s since autumn 2026; signing
 * always uses a fresh one.
 */
export const BLOCKHASH_CACHE_MS = 30_000;

/** Time after which a transaction's outcome counts as unknown, ms. */
export function confirmTimeout(commitment: 'processed' | 'confirmed' | 'finalized'): number {
  return commitment === 'finalized' ? 60_000 : 30_000;
}

/** Lamports per signature, where the node gives none: the fee of every cluster so far. */
export const SIGNATURE_FEE = 5_000n;
/** Lamports that an account without data must hold, where the node gives none: mainnet's as of 2026-10-29. */
export const USUAL_RENT_MINIMUM = 650_240n;

export interface TransferOrder {
  /** Base58 addresses. */
  from: string;
  to: string;
  lamports: bigint;
}

/** A recent block: a transaction that names it can be confirmed up to `lastValidBlockHeight`. */
export interface RecentBlock {
  blockhash: string;
  lastValidBlockHeight: number;
}

/** A signed transaction. Sending it several times is safe: the chain accepts a signature once. */
interface SignedTransfer {
  signature: string;
  /** The wire format, base64. */
  bytes: string;
  lastValidBlockHeight: number;
}

export interface BuiltTransfer {
  /** Returns the fee for exactly this message, in lamports. */
  fee(): Promise<bigint>;
  /** Signs the transfer. @param privateKey hex of the 64-byte secret key, not retained. Throws `ChainError`. */
  sign(block: RecentBlock, privateKey: string): SignedTransfer;
}

/** Kind of account at an address: `none` (holds nothing), a `wallet`, or a `program`. */
export type AccountKind = 'none' | 'wallet' | 'program';

/** State of a signature on the chain: not seen, seen but not confirmed, confirmed, or failed for good. */
export type SignatureStatus = { is: 'unseen' | 'seen' | 'confirmed' } | { is: 'failed'; why: string };

/** A node of the configured cluster, queried at 'confirmed'. Everything throws `ChainError`; amounts are lamports. */
export interface ChainClient {
  balance(address: string): Promise<bigint>;
  account(address: string): Promise<{ lamports: bigint; kind: AccountKind }>;
  /** Subscribes to changes of the balance. Returns the function that ends the subscription. */
  watchBalance(address: string, onBalance: (lamports: bigint) => void): () => void;
  /** Returns the minimum balance of an account without data. */
  rentMinimum(): Promise<bigint>;
  transfer(order: TransferOrder): BuiltTransfer;
  latestBlock(): Promise<RecentBlock>;
  /** Sends a signed transaction. The node simulates it first, except when it is sent `again`. */
  send(bytes: string, again?: boolean): Promise<void>;
  status(signature: string): Promise<SignatureStatus>;
  /** Subscribes to the confirmation or failure of a signature. Returns the function that ends the subscription. */
  watchSignature(signature: string, onStatus: (status: SignatureStatus) => void): () => void;
  blockHeight(): Promise<number>;
  /** Requests lamports from the faucet; resolves with the signature. */
  airdrop(address: string, lamports: bigint): Promise<string>;
}

/** A wallet with its private key, which is passed on and never stored. */
export interface WalletKey {
  walletAddress: string;
  /** Hex of the 64-byte secret key. */
  privateKey: string;
}

/** Everything that needs the Solana library. */
export interface ChainLibrary {
  generateWallet(): WalletKey;
  /** Returns the wallet of a secret key in hex; null when it is invalid: not 64 bytes, or halves that do not match. */
  walletOfKey(hex: string): WalletKey | null;
  openChain(config: ChainConfig): ChainClient;
}
