import type { Model, QueryFilter } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { LIST_LIMIT_DEFAULT, type SampleRange } from '../../common/tokens/http.ts';
import type { TokenStats } from '../../common/tokens/model.ts';
import { searchWords } from '../../common/tokens/search.ts';
import type { Market } from '../market/market.ts';
import { tookTooLong } from '../platform/database.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from './record.ts';
import { createTotalCount } from './total-count.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How far back early liquidity looks (ms). */
const EARLY_SPAN = 8 * HOUR;
/** Bars of the launches chart: twelve spans of five minutes. */
const LAUNCH_SPAN = 5 * MINUTE;
const LAUNCH_SPANS = 12;
/** A search over very many matches is given up after this (ms), rather than holding the database for everybody. */
const SEARCH_TIME = 1500;
/** Above every string that begins with the same characters, in the byte order MongoDB compares by. */
const LAST_CHARACTER = '\u{10FFFF}';

export interface ListQuery {
  limit?: number | undefined;
  before?: string | undefined;
  q?: string | undefined;
}

/** What the token calls read from MongoDB. Every query names its index; queries.integration.test.ts explains each. */
export interface TokenQueries {
  list(query: ListQuery): Promise<TokenRecord[]>;
  /** How many tokens match `q`, or are there at all. */
  count(q: string | undefined): Promise<number>;
  /** Counts all tokens anew the next time: many of them went at once. */
  recount(): void;
  newest(limit?: number): Promise<TokenRecord[]>;
  runners(limit?: number): Promise<TokenRecord[]>;
  mightRun(limit?: number): Promise<TokenRecord[]>;
  earlyLiquidity(limit?: number): Promise<TokenRecord[]>;
  stats(): Promise<TokenStats>;
  byAddress(address: string): Promise<TokenRecord | null>;
  samples(token: TokenRecord, range: SampleRange): Promise<SampleRecord[]>;
  trades(address: string, limit?: number): Promise<TradeRecord[]>;
}

export interface TokenQueryDeps {
  models: { tokens: Model<TokenRecord>; trades: Model<TradeRecord>; samples: Model<SampleRecord> };
  market: Pick<Market, 'simulated' | 'solUsd'>;
  clock: Clock;
}

export function createTokenQueries({ models, market, clock }: TokenQueryDeps): TokenQueries {
  const { tokens, trades, samples } = models;

  const newestFirst = (filter: QueryFilter<TokenRecord>, limit = LIST_LIMIT_DEFAULT) =>
    tokens
      .find(filter)
      .sort({ listedAt: -1, _id: -1 })
      .limit(limit)
      .maxTimeMS(SEARCH_TIME)
      .lean<TokenRecord[]>()
      .exec();

  // Index { _id: 1 }. The collection's own count costs nothing, but is wrong after every crash of MongoDB.
  const total = createTotalCount(() => tokens.countDocuments().hint({ _id: 1 }).exec(), clock);

  return {
    // Index { listedAt: -1, _id: -1 }; with `q` { searchTerms: 1, listedAt: -1 }, and the matches are sorted.
    list({ limit, before, q }) {
      const found = newestFirst({ ...matching(q), ...(before ? after(before) : {}) }, limit);
      return q === undefined ? found : searched(found);
    },
    // With `q` index { searchTerms: 1, listedAt: -1 }.
    count: (q) =>
      q === undefined ? total() : searched(tokens.countDocuments(matching(q)).maxTimeMS(SEARCH_TIME).exec()),
    recount: () => total.forget(),
    // Index { listedAt: -1, _id: -1 }.
    newest: (limit) => newestFirst({ listedAt: { $gte: clock.now() - HOUR } }, limit),
    // Partial index { runner: 1, listedAt: -1 } where runner.
    runners: (limit) => newestFirst({ runner: true }, limit),
    // Partial index { mightRun: 1, listedAt: -1 } where mightRun.
    mightRun: (limit) => newestFirst({ mightRun: true }, limit),
    // Index { listedHour: 1, initialLiquidityLamports: -1 }: each hour is read in order and the nine are merged.
    earlyLiquidity: (limit = LIST_LIMIT_DEFAULT) =>
      tokens
        .find({ listedHour: { $in: hoursBack(clock.now()) }, listedAt: { $gte: clock.now() - EARLY_SPAN } })
        .sort({ initialLiquidityLamports: -1 })
        .limit(limit)
        .lean<TokenRecord[]>()
        .exec(),
    async stats() {
      const now = clock.now();
      const [all, runners, mightRun, launches] = await Promise.all([
        total(),
        tokens.countDocuments({ runner: true }),
        tokens.countDocuments({ mightRun: true }),
        launchesBefore(now, tokens),
      ]);
      const newLastHour = launches.reduce((sum, count) => sum + count, 0);
      return {
        total: all,
        newLastHour,
        runners,
        mightRun,
        launches,
        simulated: market.simulated(),
        solUsd: market.solUsd(),
      };
    },
    byAddress: (address) => tokens.findById(address).lean<TokenRecord>().exec(),
    // Index { address: 1, grain: 1, at: 1 }.
    samples: (token, range) =>
      samples
        .find(samplesOf(token, range, clock.now()))
        .sort({ at: 1 })
        .lean<SampleRecord[]>()
        .exec(),
    // Index { address: 1, at: -1 }.
    trades: (address, limit = LIST_LIMIT_DEFAULT) =>
      trades.find({ address }).sort({ at: -1, _id: -1 }).limit(limit).lean<TradeRecord[]>().exec(),
  };
}

/** The same answer, or `search-too-broad`: it is the search that takes too long, and not the database that is away. */
export async function searched<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw tookTooLong(error) ? new PublicError('search-too-broad') : error;
  }
}

/** Tokens of which, for every word of `q`, some search term begins with that word. */
export function matching(q: string | undefined): QueryFilter<TokenRecord> {
  const words = q === undefined ? [] : searchWords(q);
  if (words.length === 0) return {};
  // A range instead of a regular expression: nothing in it has to be escaped, and the index bounds are exact.
  const beginning = (word: string) => ({ searchTerms: { $elemMatch: { $gte: word, $lt: word + LAST_CHARACTER } } });
  return { $and: words.map(beginning) };
}

/** What follows the cursor `<listedAt>_<address>` in the newest-first order. */
function after(cursor: string): QueryFilter<TokenRecord> {
  const [time = '', address = ''] = cursor.split('_');
  const listedAt = Number(time);
  // The first condition bounds the index scan, the second splits tokens of the same millisecond.
  return { listedAt: { $lte: listedAt }, $or: [{ listedAt: { $lt: listedAt } }, { _id: { $lt: address } }] };
}

/** The whole hours since the epoch that the last 8 hours touch: nine of them. */
function hoursBack(now: number): number[] {
  const current = Math.floor(now / HOUR);
  return Array.from({ length: EARLY_SPAN / HOUR + 1 }, (_, back) => current - back);
}

/** Index { listedAt: -1, _id: -1 }, from which alone the counts are made. */
async function launchesBefore(now: number, tokens: Model<TokenRecord>): Promise<number[]> {
  const begin = now - LAUNCH_SPANS * LAUNCH_SPAN;
  const spans = await tokens.aggregate<{ _id: number; count: number }>([
    { $match: { listedAt: { $gte: begin } } },
    {
      $group: { _id: { $floor: { $divide: [{ $subtract: ['$listedAt', begin] }, LAUNCH_SPAN] } }, count: { $sum: 1 } },
    },
  ]);
  const launches = Array.from({ length: LAUNCH_SPANS }, () => 0);
  for (const { _id, count } of spans) {
    // A chain's clock may run ahead of ours: what it dates in the future happened just now.
    const span = Math.min(_id, LAUNCH_SPANS - 1);
    launches[span] = (launches[span] ?? 0) + count;
  }
  return launches;
}

function samplesOf(token: TokenRecord, range: SampleRange, now: number): QueryFilter<SampleRecord> {
  const since = (grain: SampleRecord['grain'], span: number) => ({
    address: token._id,
    grain,
    at: { $gte: new Date(now - span) },
  });
  switch (range) {
    case '10m':
      return since('full', 10 * MINUTE);
    case '1h':
      return since('minute', HOUR);
    case '8h':
      return since('minute', 8 * HOUR);
    case 'all':
      // Hourly points say nothing about a token younger than a few hours, and its minutes are all still there.
      return now - token.listedAt < 8 * HOUR ? since('minute', 8 * HOUR) : { address: token._id, grain: 'hour' };
  }
}
