import type { Cluster, Stage } from '../../common/tokens/model.ts';
import type { RiskFacts } from '../../common/tokens/risk/score.ts';
import type { QuoteKind, Reserves, SourceName } from '../market/sources/observation.ts';
import type { Told } from '../market/token/merge/quote.ts';

/**
 * A token as the market keeps it in memory and MongoDB keeps it in `tokens` (`_id` is the address).
 * Amounts are integers (lamports, base units), times epoch ms; the wire form is made by present.ts alone.
 */
export interface TokenRecord {
  _id: string;
  version: number;
  name: string | null;
  symbol: string | null;
  uri: string | null;
  decimals: number | null;
  totalSupply: string | null;
  creator: string | null;
  /** Creation on chain, epoch ms. */
  createdAt: number | null;
  /** Slot of the creation: tells bundled buyers. */
  createdSlot: number | null;
  detectedAt: number;
  lastUpdated: number;
  /** `createdAt`, or `detectedAt` where that is unknown: what lists are ordered by. */
  listedAt: number;
  /** Whole hours since the epoch of `listedAt`: lets early liquidity be read in index order. */
  listedHour: number;
  stage: Stage;
  quote: QuoteKind;
  launchpad: string;
  detectedBy: SourceName;
  cluster: Cluster;
  bondingCurve: string | null;
  pool: string | null;
  reserves: Reserves | null;
  /** SOL for one whole token; null when the quote has no SOL price. */
  price: number | null;
  initialLiquidityLamports: number | null;
  liquidityLamports: number | null;
  /** The most liquidity it ever had, lamports: a rug is told by what is left of it. */
  peakLiquidityLamports: number | null;
  /**
   * Lamports traded per whole hour since the epoch, the last 24 hours only; null in an hour with a trade that has no
   * SOL value, since the sum of the others would be too low.
   */
  volumeByHour: { hour: number; lamports: number | null }[];
  /** US dollars at the rate of the last update; null without a rate. */
  marketCapUsd: number | null;
  volumeUsd: number | null;
  holderCount: number | null;
  /** The largest wallets, at most 20, base units, largest first; refreshed with the score, not with every trade. */
  topHolders: { wallet: string; amount: number }[];
  buys: number;
  sells: number;
  /** True when the creation was seen, so that counts and wallets are complete. */
  complete: boolean;
  facts: RiskFacts;
  /** Score 0–100 or null, and coverage percent 0–100, as of the last change. */
  riskScore: number | null;
  riskCoverage: number;
  growthScore: number | null;
  runner: boolean;
  mightRun: boolean;
  /** Ended as a rug by the rule in market/facts.ts; counts against its creator. */
  rugged: boolean;
  /** About one point a minute, at most 20, oldest first. */
  spark: { at: number; price: number }[];
  /** The chart points that are still being filled; null before the first trade. */
  openSample: OpenSample | null;
  /** Which source each field was last taken from, and when: precedence is decided by it. */
  fieldSources: Record<string, { source: SourceName; at: number }>;
  /** The figures as data services tell them; null or missing: none did. */
  told?: Told | null;
  lastTradeAt: number | null;
  lastSignature: string | null;
  /** When it was first stored and first published. */
  storedAt: number | null;
  publishedAt: number | null;
  /** Removed after this (TTL): 30 days after the last update, moved on once an hour. */
  keepUntil: Date;
  /** Lower-case start-of-word terms of name, symbol and address, for `?q=`. */
  searchTerms: string[];
}

/** The minute and the hour a token's newest trade belongs to, for the points that are written once they are over. */
export interface OpenSample {
  /** Whole minutes since the epoch. */
  minute: number;
  /** Lamports its hour had traded when the minute began: what was added since belongs to the minute. */
  before: number;
  /** Whether the point of the minute, or of its hour, is not written yet. */
  minuteDue: boolean;
  hourDue: boolean;
}

/** A trade as `trades` keeps it; the newest day is kept (TTL on `at`). */
export interface TradeRecord {
  /** `<signature>:<index>`. */
  _id: string;
  address: string;
  at: Date;
  side: 'buy' | 'sell';
  wallet: string;
  /** Lamports, null when the quote has no SOL price. */
  lamports: number | null;
  /** Base units. */
  amount: number;
  price: number | null;
  signature: string | null;
  slot: number | null;
}

/** A chart point as `samples` keeps it: `full` for 10 minutes, `minute` for 8 h, `hour` beyond (TTL on `expiresAt`). */
export interface SampleRecord {
  address: string;
  at: Date;
  grain: 'full' | 'minute' | 'hour';
  price: number | null;
  liquidityLamports: number | null;
  /** Lamports traded since the sample before of the same grain. */
  volumeLamports: number;
  holders: number | null;
  expiresAt: Date;
}
