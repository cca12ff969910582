import { z } from 'zod';
import { addressSchema } from '../tokens/model.ts';

const at = z.iso.datetime();
const amount = z.number().nullable();

/** Coverage of the detection (beyond the specification): every figure is of the last hour, or since a later start. */
const detectionCoverageSchema = z.strictObject({
  /** Sources that report creations. */
  sources: z.array(z.string()),
  /** The last 60 minutes, oldest first: tokens by the sources that saw them. */
  minutes: z.array(
    z.strictObject({
      at,
      /** Seen live by at least two sources. */
      both: z.int(),
      /** Seen live by one source only, by source name. */
      only: z.record(z.string(), z.int()),
      /** Found only by a backfill. */
      backfill: z.int(),
    }),
  ),
  /** Per source. Latency from the creation on chain (or the first report of any source) to receipt, ms; null without figures. */
  bySource: z.array(
    z.strictObject({
      source: z.string(),
      seen: z.int(),
      missed: z.int(),
      backfilled: z.int(),
      latencyP50: amount,
      latencyP99: amount,
      /** True when the latencies begin at block times, which are whole seconds: they are exact to ±1 s. */
      fromBlockTime: z.boolean(),
      slotsMissed: z.int().nullable(),
      /** Transactions that the node cut short and could not return; null when the source cannot know. */
      transactionsLost: z.int().nullable(),
      /** Transactions of a version that can't be read yet; null when the source cannot know. */
      transactionsUnreadable: z.int().nullable(),
      /** Their versions, lowest first, since the start. */
      unreadableVersions: z.array(z.int()),
      /** Breaks in the reserves of coins, each at least one trade, that were not repaired. */
      tradesMissed: z.int(),
      decodeErrors: z.int(),
      /** Observations with impossible times, reserves or amounts. */
      refused: z.int(),
    }),
  ),
  /** Newest first, at most 100: tokens that a stream missed. */
  missed: z.array(
    z.strictObject({
      address: addressSchema,
      symbol: z.string().nullable(),
      source: z.string(),
      seenBy: z.string(),
      at,
      /** Reason, e.g. 'not connected at the time'; null when unknown. */
      why: z.string().nullable(),
    }),
  ),
});
export type DetectionCoverage = z.infer<typeof detectionCoverageSchema>;

/** Detection stats (specification, section 3). Ages in ms, liquidity in SOL, market cap and volume in US dollars, change in percent. */
export const detectionStatsSchema = z.strictObject({
  at,
  tokenStats: z.strictObject({ totalTokens: z.int(), withCreationDate: z.int() }),
  flagged: z.strictObject({ mightRunInDb: z.int(), runnerInDb: z.int() }),
  byAge: z.strictObject({
    within30Min: z.int(),
    within1Hour: z.int(),
    within2Hours: z.int(),
    within8Hours: z.int(),
  }),
  metrics: z.strictObject({
    withVolume: z.int(),
    withMarketCap: z.int(),
    withBoth: z.int(),
    withHolders: z.int(),
    withPriceChange: z.int(),
    withLiquidity: z.int(),
  }),
  potential: z.strictObject({
    meetMightRunCriteria: z.int(),
    meetRunnerCriteria: z.int(),
    inMightRunTimeframe: z.int(),
  }),
  sampleMightRunTokens: z.array(
    z.strictObject({
      symbol: z.string().nullable(),
      address: addressSchema,
      age: z.number(),
      marketCap: amount,
      volume: amount,
      volumeToMarketCapRatio: amount,
    }),
  ),
  sampleRunnerTokens: z.array(
    z.strictObject({
      symbol: z.string().nullable(),
      address: addressSchema,
      liquidity: amount,
      volume: amount,
      priceChange: amount,
      holders: z.int().nullable(),
      marketCap: amount,
    }),
  ),
  coverage: detectionCoverageSchema,
});
export type DetectionStats = z.infer<typeof detectionStatsSchema>;
