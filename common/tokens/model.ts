import { z } from 'zod';
import { riskReasonSchema } from './risk/reason.ts';
import { SPARK_POINTS, sparkPointSchema } from './spark.ts';

/** Length bounds of a base58 string that can hold 32 bytes. */
export const addressSchema = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a base58 address of 32 to 44 characters');

/** Where a coin trades: on its bonding curve, on none while it moves (`complete`), or in an AMM pool. */
export const stageSchema = z.enum(['curve', 'complete', 'pool']);
export type Stage = z.infer<typeof stageSchema>;

/** Solana cluster of a token; null for a simulated token, which is on no chain until an order puts it on the local one. */
const clusterSchema = z.enum(['mainnet', 'devnet', 'local']).nullable();
export type Cluster = z.infer<typeof clusterSchema>;

const tokenMetadataSchema = z.strictObject({
  /** Launchpad the token came from, e.g. `pump.fun`, or `simulator`. */
  source: z.string(),
  /** Market source that reported it first: `solana`, `replay`, `simulator`. */
  detectedBy: z.string(),
  cluster: clusterSchema,
  /** Address of the metadata file as the creator entered it; never fetched, or linked without escaping. */
  uri: z.string().nullable(),
  /** Asset that the token trades against on its curve or pool. */
  quote: z.enum(['SOL', 'USDC', 'other']),
});
export type TokenMetadata = z.infer<typeof tokenMetadataSchema>;

const percent = z.number().min(0).max(100).nullable();

/**
 * A token as REST and events carry it. Unknown is null, never 0.
 *
 * Amounts in SOL: `price`, `initialLiquidity`, `currentLiquidity` (the real quote side of curve or pool).
 * Amounts in US dollars: `marketCap`, `volume` (traded in the last 24 h, or since creation); null without a SOL/USD rate.
 * Prices, liquidity, market cap and volume are rounded to 6 significant digits on the wire.
 */
export const tokenSchema = z.strictObject({
  id: z.string(),
  address: addressSchema,
  /** Short id: unique, given at the first observation, never changed. Live events name the token by it. */
  number: z.int().min(1),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /**
   * Address of an older coin of the last 24 h, or of a well-known one, with the same symbol or one that looks alike; null
   * while none is known.
   */
  copyOf: z.string().nullable(),
  /**
   * Its place, from 1, among the coins that were launched with its symbol or its name, or one that looks alike, within 24 h of it,
   * and their number, counted up to 30 for each of the two; null while it is the only one.
   */
  twins: z.tuple([z.int().min(1), z.int().min(2)]).nullable(),
  decimals: z.int().nullable(),
  /** In base units (1 token = 10^decimals base units), as a decimal string: it can exceed 2^53. */
  totalSupply: z.string().regex(/^\d+$/).nullable(),
  creatorAddress: z.string().nullable(),
  /** Creation on chain, ISO 8601; null for a token first observed by a trade. */
  createdAt: z.iso.datetime().nullable(),
  /** Time of our first observation, ISO 8601. */
  detectedAt: z.iso.datetime(),
  /** Time of the observation that changed it last, ISO 8601. */
  lastUpdated: z.iso.datetime(),
  price: z.number().nullable(),
  initialLiquidity: z.number().nullable(),
  currentLiquidity: z.number().nullable(),
  marketCap: z.number().nullable(),
  volume: z.number().nullable(),
  holderCount: z.int().nullable(),
  /** Risk on the 0–100 scale; null without a finding while a low score is not earned. */
  scamProbability: z.number().min(0).max(100).nullable(),
  /** Share of the risk checks that are known, percent 0–100. */
  riskCoverage: z.number().min(0).max(100),
  /** Why the risk is unknown, or its heaviest finding; null for a risk without a finding. */
  riskReason: riskReasonSchema.nullable(),
  /** 0–100, see growth.ts; null without a price. */
  growthScore: z.number().min(0).max(100).nullable(),
  runner: z.boolean(),
  mightRun: z.boolean(),
  stage: stageSchema,
  /** Time of the move into the pool, ISO 8601; null before it, and when it is unknown. */
  migratedAt: z.iso.datetime().nullable(),
  /** Observed purchases and sales; null when trades before the first observation may be missing. */
  buys: z.int().nullable(),
  sells: z.int().nullable(),
  /** Share of the curve that is sold, percent 0–100; null off the curve. */
  curveProgress: percent,
  /** Highest price so far in SOL, in steps of a tenth; it starts again with the move into the pool. */
  highestPrice: z.number().nullable(),
  /** Shares of the supply, percent 0–100, that the developer and the insiders hold. */
  developerShare: percent,
  insiderShare: percent,
  /** Share of the supply that the insiders bought together at the launch, percent 0–100. */
  bundleShare: percent,
  /** Share of the supply that the ten largest wallets hold, percent 0–100: the highest one since the last peak of the liquidity. */
  topTenShare: percent,
  /** Other coins that the developer launched within the 24 h before this one. */
  developerLaunches: z.int().nullable(),
  /** Past prices, oldest first, recent ones denser: the sparkline of a row. Updates carry none: clients add their prices. */
  spark: z.array(sparkPointSchema).max(SPARK_POINTS),
  metadata: tokenMetadataSchema,
  /** Rises by at least 1 with every change. */
  version: z.int().min(1),
});
export type Token = z.infer<typeof tokenSchema>;

const patchable = {
  name: true,
  symbol: true,
  copyOf: true,
  twins: true,
  decimals: true,
  totalSupply: true,
  creatorAddress: true,
  createdAt: true,
  price: true,
  initialLiquidity: true,
  currentLiquidity: true,
  marketCap: true,
  volume: true,
  holderCount: true,
  scamProbability: true,
  riskCoverage: true,
  riskReason: true,
  growthScore: true,
  runner: true,
  mightRun: true,
  stage: true,
  migratedAt: true,
  metadata: true,
  buys: true,
  sells: true,
  curveProgress: true,
  highestPrice: true,
  developerShare: true,
  insiderShare: true,
  bundleShare: true,
  topTenShare: true,
  developerLaunches: true,
} as const satisfies Partial<Record<keyof Token, true>>;

/** Fields of a token that may change after its first event. */
export const patchableFields = tokenSchema.pick(patchable).keyof().options;

/** Changes of one token since an earlier version: only the changed fields are present. */
export const tokenPatchSchema = tokenSchema
  .pick(patchable)
  .partial()
  .extend({ address: addressSchema, number: tokenSchema.shape.number, version: z.int().min(1) });
export type TokenPatch = z.infer<typeof tokenPatchSchema>;
/** A patch that names its token by number alone. */
export type NumberedPatch = Omit<TokenPatch, 'address'>;

/** Result of a risk check: `risk` costs points, `clear` was checked without a finding, `unknown` could not be checked. */
const factorStateSchema = z.enum(['risk', 'clear', 'unknown']);

/** One check behind the score: its label, its weight here, and its evidence. */
const riskFactorSchema = z.strictObject({
  id: z.string(),
  /** Subject of the check, e.g. 'Developer sold early'. */
  label: z.string(),
  state: factorStateSchema,
  /** Points it adds to the score; 0 unless `state` is `risk`. */
  points: z.number(),
  /** The most it could add. */
  maxPoints: z.number(),
  /** One sentence with the figures: 'Developer holds 12.4 % of the supply (limit 10 %).' */
  evidence: z.string(),
  /** Account, transaction or rule the evidence comes from; null when unknown. */
  source: z.string().nullable(),
  /** When the fact was read, ISO 8601; null when unknown. */
  readAt: z.iso.datetime().nullable(),
  /** A hard flag: it alone lifts the score to 90 or more. */
  hard: z.boolean(),
  /** Clear for every standard coin of the launchpad; such a check counts neither for the score nor for the coverage. */
  standard: z.boolean(),
});
export type RiskFactor = z.infer<typeof riskFactorSchema>;

/** Score and factors, see risk/score.ts. `score` is 0–100, null without a finding while a low score is not earned. */
export const riskSchema = z.strictObject({
  score: z.number().min(0).max(100).nullable(),
  /** Percent 0–100 of the checks that is known. */
  coverage: z.number().min(0).max(100),
  /** Why the score is unknown, or its heaviest finding; null for a score without a finding. */
  reason: riskReasonSchema.nullable(),
  /** Number of checks that are known and that apply. */
  known: z.int(),
  total: z.int(),
  /** Version of the checks, see RISK_RULES_VERSION. */
  rulesVersion: z.int(),
  /** Worst first; those clear for every coin of the launchpad last. */
  factors: z.array(riskFactorSchema),
});
export type Risk = z.infer<typeof riskSchema>;

/** Current SOL/USD rate: dollars for 1 SOL, with the time and source of the report. */
const solUsdSchema = z.strictObject({ rate: z.number().positive(), at: z.iso.datetime(), source: z.string() });
export type SolUsd = z.infer<typeof solUsdSchema>;

/** Token of the detail page: the fields of the lists and those of that page only. */
export const tokenDetailSchema = tokenSchema.extend({
  risk: riskSchema,
  /** Wallet that signed the creation; null when unknown. The creator is only named by the creation. */
  creationSigner: z.string().nullable(),
  bondingCurve: z.string().nullable(),
  pool: z.string().nullable(),
  mintAuthority: z.enum(['live', 'revoked']).nullable(),
  freezeAuthority: z.enum(['live', 'revoked']).nullable(),
  /** Times that figures are as of, ISO 8601, when they froze as the coin moved into its pool; each null while it is live. */
  figuresAsOf: z.strictObject({
    price: z.iso.datetime().nullable(),
    liquidity: z.iso.datetime().nullable(),
    marketCap: z.iso.datetime().nullable(),
  }),
  /** Gaps in the observed trades, each at least one trade; 0 when none is known. */
  tradesMissed: z.int().min(0),
  /**
   * Origin of the holders: the observed trades; the trades up to the last counted one, when older ones are no longer stored; or
   * accounts read from a node or a service.
   */
  holdersFrom: z.enum(['trades', 'past-trades', 'accounts']),
  solUsd: solUsdSchema.nullable(),
  /** Times of creation on chain, receipt, first write and first publication, epoch ms; null where unknown. */
  times: z.strictObject({
    created: z.number().nullable(),
    received: z.number(),
    stored: z.number().nullable(),
    published: z.number().nullable(),
  }),
});
export type TokenDetail = z.infer<typeof tokenDetailSchema>;

/**
 * One point of the charts, at the end of its span. Prices and liquidity in SOL: `price` is the last one of the span (its close),
 * `open`, `high` and `low` are the first, highest and lowest.
 * volume: SOL traded since the previous sample, holders: wallets.
 */
export const sampleSchema = z.strictObject({
  at: z.iso.datetime(),
  price: z.number().nullable(),
  open: z.number().nullable(),
  high: z.number().nullable(),
  low: z.number().nullable(),
  liquidity: z.number().nullable(),
  volume: z.number(),
  holders: z.int().nullable(),
});
export type Sample = z.infer<typeof sampleSchema>;

/** One trade on the curve or in the pool. */
export const tradeSchema = z.strictObject({
  /** Signature and event index within the transaction: one transaction may hold several trades. */
  id: z.string(),
  at: z.iso.datetime(),
  side: z.enum(['buy', 'sell']),
  wallet: z.string(),
  /** SOL paid or received, without fees; null when the quote has no SOL price. */
  sol: z.number().nullable(),
  /** Whole tokens, not base units. */
  tokens: z.number(),
  /** Price after the trade, SOL. */
  price: z.number().nullable(),
  signature: z.string().nullable(),
  slot: z.int().nullable(),
});
export type Trade = z.infer<typeof tradeSchema>;

/** Totals for the stat cards. */
export const tokenStatsSchema = z.strictObject({
  total: z.int(),
  /** Created in the last hour. */
  newLastHour: z.int(),
  runners: z.int(),
  mightRun: z.int(),
  /** Tokens created in each of the last twelve five-minute spans, oldest first. */
  launches: z.array(z.int()).length(12),
  /** True while the simulator is one of the market's sources. */
  simulated: z.boolean(),
  solUsd: solUsdSchema.nullable(),
});
export type TokenStats = z.infer<typeof tokenStatsSchema>;
