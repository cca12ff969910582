import type { Funding, QuoteKind, Reserves, SourceName } from '../../tokens/record.ts';

export type { Funding, QuoteKind, Reserves, SourceName } from '../../tokens/record.ts';

/**
 * A source's report about a token or the market. Times are epoch ms. Lamports, base units and other amounts are integers that
 * a double holds exactly; larger ones are null. `quote` amounts are in the smallest unit of the quote mint: lamports for SOL (1 SOL = 1,000,000,000 lamports), millionths for USDC.
 */
export type Observation =
  | CreatedObservation
  | TradeObservation
  | CompletedObservation
  | MigratedObservation
  | ReservesObservation
  | CreatorChangedObservation
  | LiquidityWithdrawnObservation
  | FactsObservation
  | ListedObservation
  | RateObservation
  | SymbolsObservation;

interface Observed {
  /** Source, which decides the precedence of conflicting values. */
  source: SourceName;
  /** Time on chain. */
  at: number;
  /** Receive time. */
  receivedAt: number;
}

/** Position of an event on chain; signature and index identify duplicates. */
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
  /** Creator named by the creation; on pump.fun an argument without a signature. */
  creator: string;
  /** Wallet that signed the creation; null when the source does not report it. */
  user: string | null;
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
  /** Length of a slot of the cluster, ms; null when unknown. */
  slotMs: number | null;
}

export interface TradeObservation extends Observed {
  kind: 'trade';
  chain: OnChain;
  address: string;
  side: 'buy' | 'sell';
  wallet: string;
  quote: QuoteKind;
  /** Quote units without fees. */
  quoteAmount: number;
  /** Base units of the token. */
  tokenAmount: number;
  reserves: Reserves;
  /** Creator; null when the event lacks it. */
  creator: string | null;
  launchpad: string;
  cluster: 'mainnet' | 'devnet' | 'local' | null;
  venue: 'curve' | 'pool';
  /** Virtual reserves of a pool right before the trade; absent on a curve, where they follow from the reserves after it. */
  before?: Pick<Reserves, 'virtualQuote' | 'virtualToken'>;
  /** Supply after the trade, base units, decimal string; absent when the event lacks it. */
  totalSupply?: string;
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
  /** Quote units put into the pool; null when unknown. */
  quoteAmount: number | null;
  /** Opening reserves of the pool; absent when the source does not report them. */
  reserves?: Reserves;
}

/** Reserves that changed without a trade: new virtual reserves, a deposit, a withdrawal, or a burn. */
export interface ReservesObservation extends Observed {
  kind: 'reserves';
  chain: OnChain;
  address: string;
  quote: QuoteKind;
  reserves: Reserves;
  venue: 'curve' | 'pool';
  /** Base units burned from the supply; 0 without a burn. */
  burned: number;
}

/** The program pays the creator's fees to another account from now on. */
export interface CreatorChangedObservation extends Observed {
  kind: 'creator-changed';
  chain: OnChain;
  address: string;
  /** Wallet before the change; null when the event does not name one. */
  previous: string | null;
  /** Wallet after the change; null for an account that shares the fees out. */
  creator: string | null;
}

/** Liquidity withdrawn from a pool of the coin that is not its main one, whose LP is burnt. */
export interface LiquidityWithdrawnObservation extends Observed {
  kind: 'liquidity-withdrawn';
  chain: OnChain;
  address: string;
  pool: string;
  wallet: string;
  /** What the pool holds beside the coin. */
  quote: QuoteKind;
  /** Quote units. */
  quoteAmount: number;
}

/** Facts that the events of a token lack. Missing key: not read; null: unknown. Shares are percent 0–100. */
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
  /** Whether the token has a metadata file. */
  metadataFile?: boolean | null;
}

/** Facts read over RPC, apart from the event stream. */
export interface FactsObservation extends Observed {
  kind: 'facts';
  address: string;
  facts: ReadFacts & {
    decimals?: number | null;
    totalSupply?: string | null;
    /** Largest wallets without curve and pool accounts, base units, largest first. */
    largestHolders?: { wallet: string; amount: number }[] | null;
    /** Wallet that paid the fee of the creation. */
    feePayer?: string | null;
    /** Wallets that sent early buyers their first SOL. */
    funders?: readonly Funding[] | null;
  };
  /** Slot the facts were read at; null when unknown. */
  slot: number | null;
}

/** Report of a data service about a token. `at`: time of its figures. */
export interface ListedObservation extends Observed {
  kind: 'listed';
  address: string;
  /** Whether the report may create the token; false for the figures of a known token. */
  mayBegin: boolean;
  listing: Listing;
}

/** Reported figures of one token. Missing key or null: unknown. Blank texts count as null. */
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
  /** Quote of its curve or pool. */
  quote?: QuoteKind | null;
  /** Null unless certain: a token never moves back. */
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
  /** Whether the service marks the coin as suspicious. */
  suspicious?: boolean | null;
  /** The service's estimate of genuine trading, 0–100. */
  organicScore?: number | null;
}

/** Dollars for 1 SOL. */
export interface RateObservation extends Observed {
  kind: 'rate';
  solUsd: number;
}

/** Symbols of well-known coins, to detect imitations. */
export interface SymbolsObservation extends Observed {
  kind: 'symbols';
  /** Symbol in capitals → mints of the coins that have it. */
  symbols: ReadonlyMap<string, readonly string[]>;
}
