import type { Model } from 'mongoose';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../../common/time.ts';
import {
  MIGHT_RUN_MAX_AGE,
  MIGHT_RUN_MAX_CAP,
  MIGHT_RUN_MIN_AGE,
  MIGHT_RUN_MIN_CAP,
  MIGHT_RUN_VOLUME_FACTOR,
  RUNNER_GROWTH_ABOVE,
  RUNNER_MAX_AGE,
  RUNNER_MIN_AGE,
  RUNNER_MIN_BUYERS,
} from '../../common/tokens/lists.ts';
import { symbolIsMissing } from '../../common/tokens/names.ts';
import { solOrNull } from '../../common/tokens/units.ts';
import { type CachedValue, cachedValue } from '../platform/cached-value.ts';
import type { TokenRecord } from '../tokens/record.ts';
import type { TokenMarket } from '../tokens/service.ts';

/** The part of the statistics that is counted over tokens. */
export type TokenCounts = Omit<DetectionStats, 'at' | 'coverage'>;

/** Rows in each of the two samples. */
const SAMPLES = 10;
/** Counts are reused for this long, ms, and for this multiple of the query time: at most 5 % of the database. */
const REUSE = SECOND;
const REUSE_FACTOR = 20;

export interface CountDeps {
  tokens: Model<TokenRecord>;
  market: Pick<TokenMarket, 'liveRecord'>;
}

/** Returns the counts of all tokens, computed by MongoDB and cached. */
export function cacheTokenCounts(deps: CountDeps, clock: Clock): CachedValue<TokenCounts> {
  return cachedValue(() => countTokens(deps, clock.now()), { maxAge: REUSE, costFactor: REUSE_FACTOR, clock });
}

/**
 * Counts all tokens and reads the samples, whose figures are those in memory: the stored ones may be seconds older. `now`: epoch ms.
 */
export async function countTokens({ tokens, market }: CountDeps, now: number): Promise<TokenCounts> {
  const [totals, mightRun, runners] = await Promise.all([
    countAll(tokens, now),
    newestMatches(tokens, meetsMightRun(now), now - MIGHT_RUN_MAX_AGE),
    newestMatches(tokens, meetsRunner(now), now - RUNNER_MAX_AGE),
  ]);
  const current = (sample: Sample): Sample => {
    const live = market.liveRecord(sample._id);
    if (live === undefined) return sample;
    const { createdAt } = sample;
    return { ...live, createdAt, firstPrice: live.spark[0]?.price ?? live.price };
  };
  return {
    ...totals,
    sampleMightRunTokens: mightRun.map((sample) => mightRunSample(current(sample), now)),
    sampleRunnerTokens: runners.map((sample) => runnerSample(current(sample))),
  };
}

type Expression = Record<string, unknown>;

// In the order of MongoDB null is below every number, so a missing figure is neither above 0 nor within an age.

const isPositive = (field: string): Expression => ({ $gt: [`$${field}`, 0] });
/**
 * The stored volume of 24 hours is that of the last update: a coin without a trade since, and without a report, has none. A replay
 * with recorded times, whose publication was never measured, has the volume of its own day.
 */
const hasVolume = (now: number): Expression => ({
  $and: [
    isPositive('volumeUsd'),
    {
      $or: [
        { $gt: ['$lastTradeAt', now - DAY] },
        { $gt: ['$reported.volumeUsd.at', now - DAY] },
        { $and: [{ $eq: ['$detectedBy', 'replay'] }, { $eq: [{ $ifNull: ['$publishedAt', null] }, null] }] },
      ],
    },
  ],
});
const isWithin = (age: number, now: number): Expression => ({ $gte: ['$createdAt', now - age] });
const isInMightRunTimeframe = (now: number): Expression => ({
  $and: [isWithin(MIGHT_RUN_MAX_AGE, now), { $lte: ['$createdAt', now - MIGHT_RUN_MIN_AGE] }],
});

/** The rule `isRunner` of `common/tokens/lists.ts` as an expression. */
const meetsRunner = (now: number): Expression => ({
  $and: [
    isWithin(RUNNER_MAX_AGE, now),
    { $lte: ['$createdAt', now - RUNNER_MIN_AGE] },
    { $gt: ['$growthScore', RUNNER_GROWTH_ABOVE] },
    { $gte: ['$outsideBuyers', RUNNER_MIN_BUYERS] },
    { $ne: ['$drained', true] },
    { $ne: ['$rugged', true] },
  ],
});

/** The rule `isMightRun` of `common/tokens/lists.ts` as an expression. */
const meetsMightRun = (now: number): Expression => ({
  $and: [
    isInMightRunTimeframe(now),
    { $gte: ['$marketCapUsd', MIGHT_RUN_MIN_CAP] },
    { $lte: ['$marketCapUsd', MIGHT_RUN_MAX_CAP] },
    { $gte: ['$volumeUsd', { $multiply: [MIGHT_RUN_VOLUME_FACTOR, '$marketCapUsd'] }] },
  ],
});

/** The oldest known price: the base of the price change. */
const FIRST_PRICE = { $ifNull: [{ $arrayElemAt: ['$spark.price', 0] }, '$price'] };

async function countAll(tokens: Model<TokenRecord>, now: number) {
  const sum = (condition: unknown) => ({ $sum: { $cond: [condition, 1, 0] } });
  const counters = {
    totalTokens: { $sum: 1 },
    withCreationDate: sum({ $gt: ['$createdAt', null] }),
    mightRunInDb: sum('$mightRun'),
    runnerInDb: sum('$runner'),
    within30Min: sum(isWithin(30 * MINUTE, now)),
    within1Hour: sum(isWithin(HOUR, now)),
    within2Hours: sum(isWithin(2 * HOUR, now)),
    within8Hours: sum(isWithin(8 * HOUR, now)),
    withVolume: sum(hasVolume(now)),
    withMarketCap: sum(isPositive('marketCapUsd')),
    withBoth: sum({ $and: [hasVolume(now), isPositive('marketCapUsd')] }),
    withHolders: sum(isPositive('holderCount')),
    withPriceChange: sum({ $and: [{ $gt: ['$price', null] }, { $ne: [FIRST_PRICE, 0] }] }),
    withLiquidity: sum(isPositive('liquidityLamports')),
    meetMightRunCriteria: sum(meetsMightRun(now)),
    meetRunnerCriteria: sum(meetsRunner(now)),
    inMightRunTimeframe: sum(isInMightRunTimeframe(now)),
  };
  const [counted] = await tokens.aggregate<Partial<Record<keyof typeof counters, number>>>([
    { $group: { _id: null, ...counters } },
  ]);
  // An empty collection has no group.
  const { totalTokens = 0, withCreationDate = 0, mightRunInDb = 0, runnerInDb = 0 } = counted ?? {};
  const { within30Min = 0, within1Hour = 0, within2Hours = 0, within8Hours = 0 } = counted ?? {};
  const { withVolume = 0, withMarketCap = 0, withBoth = 0, withHolders = 0 } = counted ?? {};
  const { withPriceChange = 0, withLiquidity = 0 } = counted ?? {};
  const { meetMightRunCriteria = 0, meetRunnerCriteria = 0, inMightRunTimeframe = 0 } = counted ?? {};
  return {
    tokenStats: { totalTokens, withCreationDate },
    flagged: { mightRunInDb, runnerInDb },
    byAge: { within30Min, within1Hour, within2Hours, within8Hours },
    metrics: { withVolume, withMarketCap, withBoth, withHolders, withPriceChange, withLiquidity },
    potential: { meetMightRunCriteria, meetRunnerCriteria, inMightRunTimeframe },
  };
}

/** Figures of a sample. */
const sampleFields = {
  symbol: 1,
  price: 1,
  marketCapUsd: 1,
  volumeUsd: 1,
  liquidityLamports: 1,
  holderCount: 1,
} as const;

interface Sample extends Pick<TokenRecord, '_id' | keyof typeof sampleFields> {
  createdAt: number;
  firstPrice: number | null;
}

/** Returns the newest tokens listed since `since` (epoch ms) that match. Index: listedAt. */
async function newestMatches(tokens: Model<TokenRecord>, matches: Expression, since: number): Promise<Sample[]> {
  return tokens.aggregate<Sample>([
    { $match: { listedAt: { $gte: since }, $expr: matches } },
    { $sort: { listedAt: -1, _id: -1 } },
    { $limit: SAMPLES },
    { $project: { ...sampleFields, createdAt: 1, firstPrice: FIRST_PRICE } },
  ]);
}

function mightRunSample(sample: Sample, now: number): TokenCounts['sampleMightRunTokens'][number] {
  const { marketCapUsd: marketCap, volumeUsd: volume } = sample;
  const ratio = marketCap === null || volume === null || marketCap === 0 ? null : volume / marketCap;
  return { ...identityOf(sample), age: now - sample.createdAt, marketCap, volume, volumeToMarketCapRatio: ratio };
}

function runnerSample(sample: Sample): TokenCounts['sampleRunnerTokens'][number] {
  const { price, firstPrice, liquidityLamports, volumeUsd, holderCount, marketCapUsd } = sample;
  return {
    ...identityOf(sample),
    liquidity: solOrNull(liquidityLamports),
    volume: volumeUsd,
    priceChange: price === null || firstPrice === null || firstPrice === 0 ? null : (price / firstPrice - 1) * 100,
    holders: holderCount,
    marketCap: marketCapUsd,
  };
}

function identityOf({ _id, symbol }: Sample) {
  return { address: _id, symbol: symbolIsMissing(symbol) ? null : symbol };
}
