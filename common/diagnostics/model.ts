import { z } from 'zod';
import { addressSchema } from '../tokens/model.ts';

const at = z.iso.datetime();
const amount = z.number().nullable();

/** Beyond the specification: coverage that can be believed. All of it since the start, the last hour at most. */
export const detectionCoverageSchema = z.strictObject({
  /** Sources that tell of creations, the first being what the others are compared with. */
  sources: z.array(z.string()),
  /** The last 60 minutes, oldest first: tokens by who saw them. */
  minutes: z.array(
    z.strictObject({
      at,
      /** Seen live by two sources or more. */
      both: z.int(),
      /** Seen live by one source only, by its name. */
      only: z.record(z.string(), z.int()),
      /** Found only by reading what had been missed. */
      backfill: z.int(),
    }),
  ),
  /** Per source. Latency from the creation on chain (or the first source's word) to receiving it, ms; null without figures. */
  bySource: z.array(
    z.strictObject({
      source: z.string(),
      seen: z.int(),
      missed: z.int(),
      backfilled: z.int(),
      latencyP50: amount,
      latencyP99: amount,
      slotsMissed: z.int().nullable(),
      decodeErrors: z.int(),
    }),
  ),
  /** Newest first, at most 100: tokens that a source missed while it claimed to be live. */
  missed: z.array(
    z.strictObject({
      address: addressSchema,
      symbol: z.string().nullable(),
      source: z.string(),
      seenBy: z.string(),
      at,
      /** Why, when known: 'disconnected at the time', 'its log could not be decoded' …; null otherwise. */
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
