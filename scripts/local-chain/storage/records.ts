/** The data that the chain keeps on disk. */

/** A transaction's error as JSON-RPC shows it: `"BlockhashNotFound"`, `{ InstructionError: [0, { Custom: 1 }] }`, … */
export type TransactionError = string | Record<string, unknown>;

export interface CompiledInstruction {
  programIdIndex: number;
  accounts: number[];
  /** Base58. */
  data: string;
  stackHeight: number | null;
}

/** The instructions that one outer instruction has run, by the index of the outer one. */
export interface InnerInstructions {
  index: number;
  instructions: CompiledInstruction[];
}

/** A token amount: base units as text, and the same with decimals. */
export interface TokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number;
  uiAmountString: string;
}

export interface TokenBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: TokenAmount;
}

/** Addresses that a transaction looks up in tables. */
export interface LoadedAddresses {
  writable: string[];
  readonly: string[];
}

/** The outcome of a transaction as `getTransaction` returns it. Amounts in lamports. */
export interface TransactionMeta {
  err: TransactionError | null;
  status: { Ok: null } | { Err: TransactionError };
  fee: number;
  preBalances: number[];
  postBalances: number[];
  innerInstructions: InnerInstructions[];
  logMessages: string[];
  preTokenBalances: TokenBalance[];
  postTokenBalances: TokenBalance[];
  rewards: [];
  loadedAddresses: LoadedAddresses;
  computeUnitsConsumed: number;
}

/** An executed transaction. */
export interface TransactionRecord {
  signature: string;
  slot: number;
  /** Seconds since 1970. */
  blockTime: number;
  /** The transaction, base64. */
  wire: string;
  /** Its accounts, including those it looks up in tables. */
  keys: string[];
  meta: TransactionMeta;
}

/** An account: lamports as text, data in base64. Null: it no longer exists. */
export type StoredAccount = [lamports: string, data: string, owner: string, executable: boolean] | null;

/** An executed transaction with the accounts it changed. */
export interface JournalEntry {
  record: TransactionRecord;
  accounts: [address: string, account: StoredAccount][];
}

/** The secrets and the name that a chain keeps for life. */
export interface Identity {
  genesis: string;
  /** Base64. */
  seed: string;
  /** The faucet's secret key, base58. */
  faucet: string;
}

/** A slot, its start (epoch ms), and the length of every slot, ms. */
export interface SlotBase {
  slot: number;
  atMs: number;
  slotMs: number;
}

/** The first state of a chain. */
export interface Genesis {
  identity: Identity;
  base: SlotBase;
  accounts: [address: string, account: StoredAccount][];
}
