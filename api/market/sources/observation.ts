import type { QuoteKind, Reserves, SourceName } from '../../tokens/record.ts';

export type { QuoteKind, Reserves, SourceName } from '../../tokens/record.ts';

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
  | ListedObservation
  | RateObservation
  | SymbolsObservation;

interface Observed {
  /** Name of the source, e.g. `solana`; it decides whose word counts when two disagree. */
  source: SourceName;
  /** When it happened on chain. */
  at: number;
  /** When we heard of it. */
  receivedAt: number;
}

/** Where on chain something happened: drops duplicates by signature and index. */
export interface OnChain {
  signature: string;
  /** Index of the event within the transaction. */
  index: number;
  slot: number | null;
}

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

/** Facts about a token that its events do not tell. A missing key means: not read; null: unknown. Shares are percent 0–100. */
export interface ReadFacts {
  mintAuthority?: 'live' | 'revoked' | null;
  freezeAuthority?: 'live' | 'revoked' | null;
  /** Names of dangerous Token-2022 extensions that are on, e.g. `permanentDelegate`; empty when checked and none. */
  extensions?: string[] | null;
  /** Transfer fee in basis points; 0 when checked and none. */
  transferFeeBps?: number | null;
  /** Percent of the LP that is burnt or locked; only for pool tokens (on a curve there is no LP). */
  lpLockedPercent?: number | null;
  metadataMutable?: boolean | null;
  /** Whether the token names a metadata file. */
  metadataFile?: boolean | null;
}

/** Facts read apart from the event stream, over RPC. */
export interface FactsObservation extends Observed {
  kind: 'facts';
  address: string;
  facts: ReadFacts & {
    decimals?: number | null;
    totalSupply?: string | null;
    /** Largest wallets without curve and pool accounts, base units, largest first. */
    largestHolders?: { wallet: string; amount: number }[] | null;
  };
  /** Slot the facts were read at; null when not told. */
  slot: number | null;
}

/** What a data service says of a token. `at` is the time its figures are of. */
export interface ListedObservation extends Observed {
  kind: 'listed';
  address: string;
  /** News of a token, which may be the first we hear of it. False: an answer about a known token, which begins none. */
  mayBegin: boolean;
  listing: Listing;
}

/** One token in the words of a data service. A missing key or null: it does not say. Blank texts count as null. */
export interface Listing {
  name?: string | null;
  symbol?: string | null;
  /** Address of the metadata file. */
  uri?: string | null;
  creator?: string | null;
  /** Creation on chain, epoch ms. */
  createdAt?: number | null;
  decimals?: number | null;
  /** Base units, decimal string. */
  totalSupply?: string | null;
  bondingCurve?: string | null;
  /** Account of the pool. */
  pool?: string | null;
  /** As in `metadata.source`: `pump.fun`, `letsbonk.fun`, `raydium` …, see `launchpadName`. */
  launchpad?: string | null;
  /** What it trades against on its curve or pool. */
  quote?: QuoteKind | null;
  /** Only what is known: a token never moves back. */
  stage?: 'curve' | 'complete' | 'pool' | null;
  /** For one whole token. Dollars become SOL once a rate is known. */
  price?: { amount: number; in: 'SOL' | 'USD' } | null;
  /** The real quote side of curve or pool, in lamports; never both sides, never virtual reserves. */
  liquidityLamports?: number | null;
  /** The real quote side right after the creation, lamports. */
  initialLiquidityLamports?: number | null;
  /** US dollars. */
  marketCapUsd?: number | null;
  /** Traded in the last 24 h, US dollars. */
  volumeUsd?: number | null;
  holderCount?: number | null;
  facts?: ListingFacts;
}

/** Facts of a data service, percent 0–100 of the supply, curve and pool accounts left out. */
export interface ListingFacts extends ReadFacts {
  topTen?: number | null;
  largestWallet?: number | null;
  creatorHolds?: number | null;
  /** Earlier coins of the creator that ended as rugs. */
  creatorRugged?: number | null;
}

/** Dollars for 1 SOL. */
export interface RateObservation extends Observed {
  kind: 'rate';
  solUsd: number;
}

/** Coins that everybody knows: a new one with such a symbol borrows it. */
export interface SymbolsObservation extends Observed {
  kind: 'symbols';
  /** Symbol in capitals → mints of the coins that have it. */
  symbols: ReadonlyMap<string, readonly string[]>;
}
