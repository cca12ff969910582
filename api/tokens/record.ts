import type { Types } from 'mongoose';
import type { sourceNames } from '../../common/sources/model.ts';
import type { TradedReserves } from '../../common/tokens/curve-trades.ts';
import type { Cluster, Stage, Token } from '../../common/tokens/model.ts';
import type { RiskReason } from '../../common/tokens/risk/reason.ts';
import type { RiskFacts } from '../../common/tokens/risk/score.ts';

/** The sources of `MARKET`, accounts read over RPC, and the configuration. */
export type SourceName = (typeof sourceNames)[number] | 'rpc' | 'env';

/** The asset a token trades against. */
export type QuoteKind = 'SOL' | 'USDC' | 'other';

/** Reserves of curve or pool after an event. The virtual ones make the price, the real ones can be withdrawn. */
export type Reserves = TradedReserves;

/** The wallet that sent another one its first SOL. */
export interface Funding {
  wallet: string;
  funder: string;
}

/** A figure reported by a data service: its value, the time it describes (epoch ms), and the service. */
export interface ReportedFigure<Value> {
  value: Value;
  at: number;
  source: SourceName;
}

/**
 * Figures of a token reported by data services, the preferred report of each. Kept apart from the figures computed from
 * chain events, so that a dollar price applies as soon as a rate is known and the order of arrival does not matter.
 */
export interface ReportedFigures {
  price: ReportedFigure<{ amount: number; in: 'SOL' | 'USD' }> | null;
  liquidityLamports: ReportedFigure<number> | null;
  marketCapUsd: ReportedFigure<number> | null;
  volumeUsd: ReportedFigure<number> | null;
  holderCount: ReportedFigure<number> | null;
  /** Earlier coins of the creator that ended as rugs. */
  creatorRugged: ReportedFigure<number> | null;
}

/**
 * A token in memory and in the collection `tokens` (`_id` is the address). Amounts are integers (lamports, base units),
 * times epoch ms. Only present.ts builds the wire form.
 */
export interface TokenRecord {
  _id: string;
  /** Short id of the token, from 1 on: given once by the market. */
  number: number;
  version: number;
  name: string | null;
  symbol: string | null;
  uri: string | null;
  decimals: number | null;
  totalSupply: string | null;
  creator: string | null;
  /** Wallets that signed the creation and paid its fee; null or missing when unknown. With the creator they are the developer. */
  creationUser?: string | null;
  creationFeePayer?: string | null;
  /** Wallet that earns the creator's fees since a change; null or missing without one, or when an account shares them out. */
  feeCreator?: string | null;
  /** Wallets that sent early buyers their first SOL; missing until read. */
  funders?: readonly Funding[] | null;
  /** Creation on chain, epoch ms. */
  createdAt: number | null;
  /** Slot of the creation: who buys within 0.8 s of it counts as an insider. */
  createdSlot: number | null;
  /** Length of a slot of its cluster at the creation, ms; null or missing when unknown. */
  slotMs?: number | null;
  detectedAt: number;
  lastUpdated: number;
  /** Sort key of lists: `createdAt`, or `detectedAt` where the creation is unknown. */
  listedAt: number;
  stage: Stage;
  quote: QuoteKind;
  launchpad: string;
  detectedBy: SourceName;
  cluster: Cluster;
  /** Whether the launchpad created it in mayhem mode, in which other parties may mint it; null or missing when unknown. */
  mayhem?: boolean | null;
  bondingCurve: string | null;
  pool: string | null;
  reserves: Reserves | null;
  /** Time of the move into the pool, epoch ms; null or missing when unknown. */
  migratedAt?: number | null;
  /** Slot of the reserves; null or missing when unknown. */
  reservesSlot?: number | null;
  /** Where the reserves are from; missing: from the curve. After a migration without pool trades they are frozen. */
  reservesVenue?: 'curve' | 'pool';
  /** SOL for one whole token; null when the quote has no SOL price. */
  price: number | null;
  initialLiquidityLamports: number | null;
  liquidityLamports: number | null;
  /** Highest liquidity so far, lamports, since the move into the pool; stored in steps. The checks compare the present liquidity with it. */
  peakLiquidityLamports: number | null;
  /** Highest price so far, SOL, stored in steps. */
  peakPrice: number | null;
  /**
   * Traded per whole hour since the epoch, in the last 24 hours and the part of an hour before them. `lamports`: null in an
   * hour with a trade without a SOL value, since the sum of the others would be too low. `microUsd`: millionths of a dollar at
   * the rate of each trade, null as before. `unvalued`: lamports traded while no rate was known.
   */
  volumeByHour: { hour: number; lamports: number | null; microUsd: number | null; unvalued?: number }[];
  /**
   * Quote units traded per minute of each of these hours, as pairs of minute and amount, so that the oldest hour can be counted
   * in part. Stored once a minute.
   */
  volumeMinutes: { hour: number; minutes: number[] }[];
  /**
   * The newest minute that traded (whole minutes since the epoch), which is not part of those above: small enough to be stored
   * with every trade. Null or missing without one.
   */
  runningMinute?: { minute: number; amount: number } | null;
  /** US dollars at the rate of the last update; null without a rate. */
  marketCapUsd: number | null;
  volumeUsd: number | null;
  holderCount: number | null;
  /** The largest wallets, at most 20, base units, largest first; refreshed with the score, not with every trade. */
  topHolders: { wallet: string; amount: number }[];
  /** True while `topHolders` is the last copy of a ledger that can't be rebuilt, since older trades are no longer stored. */
  holdersFrozen?: boolean;
  buys: number;
  sells: number;
  /** True when the creation and every trade since were observed, so that counts and wallets are complete. */
  complete: boolean;
  /** True when the creation was observed: holders are counted, though trades may be missing since. */
  sinceCreation: boolean;
  /** Gaps in the trades, each at least one trade; 0 or missing when none is known. */
  tradesMissed?: number;
  facts: RiskFacts;
  /** Score 0–100 or null, and coverage percent 0–100, as of the last change. */
  riskScore: number | null;
  riskCoverage: number;
  /** Reason of the score. */
  riskReason: RiskReason | null;
  /** RISK_RULES_VERSION that the score was computed with. Read the score by present.ts. */
  riskRulesVersion: number | null;
  growthScore: number | null;
  /** Wallets other than developer and insiders that bought for at least 0.05 SOL, counted up to ten. */
  outsideBuyers: number | null;
  runner: boolean;
  mightRun: boolean;
  /** Place, from 1, among the coins with its symbol within 24 h, and their number; null or missing for the only one. */
  twins?: Token['twins'];
  /** Ended as a rug by the rule in market/token/lifecycle.ts; counts against its creator. */
  rugged: boolean;
  /** Lost three quarters of a liquidity of at least 2 SOL. */
  drained: boolean;
  /** Past prices, oldest first, as `addSparkPoint` keeps them. */
  spark: { at: number; price: number }[];
  /** Chart points of the running minute and hour; null before the first trade. */
  openSample: OpenSample | null;
  /** Source and time of each field's value; precedence between sources is decided by it. */
  fieldSources: Record<string, { source: SourceName; at: number }>;
  /** Figures reported by data services; null or missing without a report. */
  reported?: ReportedFigures | null;
  lastTradeAt: number | null;
  /** Time of the last known sale by developer or insiders, epoch ms; null or missing without one. It delays a low score beyond a restart. */
  insiderSoldAt?: number | null;
  lastSignature: string | null;
  /**
   * Position in the market's journal up to which the figures contain every trade; missing: none of its trades. Behind what clients
   * have received: read a token in memory there (`market.liveRecord`).
   */
  journaled?: number;
  /** Times of the first write and the first publication; null for history that was loaded late. */
  storedAt: number | null;
  publishedAt: number | null;
  /** Expiry (TTL): 30 days after the last update, moved at most once an hour. */
  keepUntil: Date;
}

/** Large fields that lists do not show. */
export const detailFields = ['topHolders', 'fieldSources', 'openSample', 'funders'] as const;

/** A token as lists read it. */
export type ListedRecord = Omit<TokenRecord, (typeof detailFields)[number]>;

/** Minute and hour of a token's newest trade; their chart points are written once they are over. */
interface OpenSample {
  /** Whole minutes since the epoch. */
  minute: number;
  /** Lamports traded in its hour when the minute began; the difference to now belongs to the minute. */
  before: number;
  /** True while the point of the minute, or of its hour, is not written. */
  minuteDue: boolean;
  hourDue: boolean;
  /** Prices of the minute and of its hour so far; null or missing before the first one. */
  minuteRange?: PriceRange | null;
  hourRange?: PriceRange | null;
}

/** First, highest and lowest price of a span, SOL. */
export interface PriceRange {
  open: number;
  high: number;
  low: number;
}

/** A document of `trades`; kept for one day (TTL on `at`). */
export interface TradeRecord {
  /** `<signature>:<index>`. */
  _id: string;
  address: string;
  at: Date;
  side: 'buy' | 'sell';
  wallet: string;
  /** Lamports; null when the quote has no SOL price. */
  lamports: number | null;
  /** Base units. */
  amount: number;
  price: number | null;
  /** null for a simulated trade. */
  signature: string | null;
  slot: number | null;
}

/** A chart point of `samples`: `full` for 10 minutes, `minute` for 8 h, `hour` beyond (TTL on `expiresAt`). */
export interface SampleRecord {
  address: string;
  at: Date;
  grain: 'full' | 'minute' | 'hour';
  /** SOL at the end of the span. */
  price: number | null;
  /** First, highest and lowest price of the span, SOL. */
  open: number | null;
  high: number | null;
  low: number | null;
  liquidityLamports: number | null;
  /** Lamports traded since the previous sample of the same grain. */
  volumeLamports: number;
  holders: number | null;
  expiresAt: Date;
}

/** A sample with its id, so that a second attempt writes no second document. */
export type StampedSample = SampleRecord & { _id: Types.ObjectId };
