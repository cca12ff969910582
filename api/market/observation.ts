/**
 * What a source tells the market. Times are epoch ms. Lamports, base units and other amounts are integers that a
 * double holds exactly; a source that reads something larger says null. `quote` amounts are in the smallest unit of
 * the quote mint: lamports for SOL (1 SOL = 1,000,000,000 lamports), millionths for USDC.
 */
export type Observation =
  | CreatedObservation
  | TradeObservation
  | CompletedObservation
  | MigratedObservation
  | FactsObservation
  | RateObservation;

interface Observed {
  /** Name of the source, e.g. `solana`; it decides whose word counts when two disagree. */
  source: SourceName;
  /** When it happened on chain. */
  at: number;
  /** When we heard of it. */
  receivedAt: number;
}

export type SourceName = 'solana' | 'replay' | 'simulator' | 'rpc' | 'env';

/** Where on chain something happened: drops duplicates by signature and index. */
export interface OnChain {
  signature: string;
  /** Index of the event within the transaction. */
  index: number;
  slot: number | null;
}

/** Reserves of curve or pool after an event. `virtual` ones make the price, `real` ones are what is really there. */
export interface Reserves {
  virtualQuote: number;
  virtualToken: number;
  realQuote: number;
  realToken: number;
}

export type QuoteKind = 'SOL' | 'USDC' | 'other';

export interface CreatedObservation extends Observed {
  kind: 'created';
  chain: OnChain;
  address: string;
  name: string;
  symbol: string;
  uri: string;
  creator: string;
  bondingCurve: string | null;
  quote: QuoteKind;
  decimals: number;
  /** Base units, decimal string. */
  totalSupply: string;
  reserves: Reserves;
  /** Launchpad for `metadata.source`: `pump.fun` or `simulator`. */
  launchpad: string;
  cluster: 'mainnet' | 'devnet' | 'local' | null;
  mayhem: boolean;
  cashback: boolean;
}

export interface TradeObservation extends Observed {
  kind: 'trade';
  chain: OnChain;
  address: string;
  side: 'buy' | 'sell';
  wallet: string;
  quote: QuoteKind;
  /** Quote units that moved, without fees. */
  quoteAmount: number;
  /** Base units of the token that moved. */
  tokenAmount: number;
  reserves: Reserves;
  /** Creator as the event names it; null when it does not. */
  creator: string | null;
  launchpad: string;
  cluster: 'mainnet' | 'devnet' | 'local' | null;
  /** Where it traded. */
  venue: 'curve' | 'pool';
}

export interface CompletedObservation extends Observed {
  kind: 'completed';
  chain: OnChain;
  address: string;
}

export interface MigratedObservation extends Observed {
  kind: 'migrated';
  chain: OnChain;
  address: string;
  pool: string;
  /** Quote units put into the pool; null when not told. */
  quoteAmount: number | null;
}

/** Facts read apart from the event stream, over RPC or by a data service. A missing key means: not read; null: unknown. */
export interface FactsObservation extends Observed {
  kind: 'facts';
  address: string;
  facts: {
    decimals?: number | null;
    totalSupply?: string | null;
    mintAuthority?: 'live' | 'revoked' | null;
    freezeAuthority?: 'live' | 'revoked' | null;
    /** Names of dangerous Token-2022 extensions that are on, e.g. `permanentDelegate`; empty when checked and none. */
    extensions?: string[] | null;
    /** Transfer fee in basis points; 0 when checked and none. */
    transferFeeBps?: number | null;
    /** Largest wallets without curve and pool accounts, base units, largest first. */
    largestHolders?: { wallet: string; amount: number }[] | null;
    /** Percent 0–100 of the LP that is burnt or locked; only for pool tokens. */
    lpLockedPercent?: number | null;
    metadataMutable?: boolean | null;
  };
  /** Slot the facts were read at; null when not told. */
  slot: number | null;
}

/** Dollars for 1 SOL. */
export interface RateObservation extends Observed {
  kind: 'rate';
  solUsd: number;
}
