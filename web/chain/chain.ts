import type { ChainConfig } from '../../common/client-config/model.ts';

/** What a transaction may weigh: one network packet (specification, section 9). */
export const TRANSACTION_BYTES_MAX = 1232;
/** How long a blockhash may serve again, ms. It lives for about a minute; what is signed always gets a fresh one. */
export const BLOCKHASH_CACHE_MS = 30_000;

/** How long a transaction is waited for before its outcome counts as unknown, ms. */
export function confirmTimeout(commitment: 'processed' | 'confirmed' | 'finalized'): number {
  return commitment === 'finalized' ? 60_000 : 30_000;
}

/** Lamports for one signature, where the node does not say: what every cluster has taken since the first. */
export const SIGNATURE_FEE = 5_000n;
/** Lamports an account without data must hold, where the node does not say. */
export const USUAL_RENT_MINIMUM = 890_880n;

export interface TransferOrder {
  /** Base58 addresses. */
  from: string;
  to: string;
  lamports: bigint;
}

/** A recent block: a transaction that names it can be confirmed up to `lastValidBlockHeight` and not beyond. */
export interface RecentBlock {
  blockhash: string;
  lastValidBlockHeight: number;
}

/** Anyone may send it again, as often as they like: the chain takes a signature once. */
export interface SignedTransfer {
  signature: string;
  /** The transaction as it goes over the wire, base64. */
  bytes: string;
  lastValidBlockHeight: number;
}

export interface BuiltTransfer {
  /** Lamports the chain takes for exactly this message. */
  fee(): Promise<bigint>;
  /** @param privateKey hex of the 64-byte secret key; nothing of it is kept. Throws `ChainError`. */
  sign(block: RecentBlock, privateKey: string): SignedTransfer;
}

/** Who an address belongs to: nobody yet (it holds nothing), a person's wallet, or a program. */
export type AccountKind = 'none' | 'wallet' | 'program';

/** What the chain says of a signature: not seen, seen and not confirmed, confirmed, or failed for good. */
export type SignatureStatus = { is: 'unseen' | 'seen' | 'confirmed' } | { is: 'failed'; why: string };

/** One node of the configured cluster, asked at 'confirmed'. Everything throws `ChainError`; amounts are lamports. */
export interface ChainClient {
  balance(address: string): Promise<bigint>;
  account(address: string): Promise<{ lamports: bigint; kind: AccountKind }>;
  /** Hears of every change of the balance. Returns the way to stop. */
  watchBalance(address: string, onBalance: (lamports: bigint) => void): () => void;
  /** What an account without data must hold. */
  rentMinimum(): Promise<bigint>;
  transfer(order: TransferOrder): BuiltTransfer;
  latestBlock(): Promise<RecentBlock>;
  /** Hands a signed transaction to the node, which tries it out first unless it is sent `again`. */
  send(bytes: string, again?: boolean): Promise<void>;
  status(signature: string): Promise<SignatureStatus>;
  /** Hears when a signature is confirmed or has failed. Returns the way to stop. */
  watchSignature(signature: string, onStatus: (status: SignatureStatus) => void): () => void;
  blockHeight(): Promise<number>;
  /** Asks the faucet; answers the signature. */
  airdrop(address: string, lamports: bigint): Promise<string>;
}

/** A wallet with its key. It is handed on and forgotten, never put anywhere. */
export interface WalletKey {
  walletAddress: string;
  /** Hex of the 64-byte secret key. */
  privateKey: string;
}

/** All that needs the Solana library. */
export interface ChainLibrary {
  generateWallet(): WalletKey;
  /** The wallet of a secret key in hex; null when it is none: not 64 bytes, or halves that don't belong together. */
  walletOfKey(hex: string): WalletKey | null;
  openChain(config: ChainConfig): ChainClient;
}
