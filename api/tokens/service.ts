import type { Model, QueryFilter } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import { LIST_LIMIT_DEFAULT, type SampleRange } from '../../common/tokens/http.ts';
import type { SolUsd, TokenStats } from '../../common/tokens/model.ts';
import { searchWords } from '../../common/tokens/search.ts';
import { cachedValue } from '../platform/cached-value.ts';
import { isTimeLimitError } from '../platform/database.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from './record.ts';
import { withCurrentVolume } from './volume.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Greatest age of a token in early liquidity, ms. */
const EARLY_SPAN = 8 * HOUR;
/** Bars of the launches chart: twelve spans of five minutes, in ms. */
const LAUNCH_SPAN = 5 * MINUTE;
const LAUNCH_SPANS = 12;
/** Greatest age of the total, ms: every list carries it, and counting takes time in proportion to the tokens. */
const COUNT_MAX_AGE = 2_000;
/** Time limit of a list query, ms, so that a search with very many matches does not block the database for all users. */
const SEARCH_TIME = 1500;
/** Sorts above every string with the same prefix, in the byte order of MongoDB's comparison. */
const LAST_CHARACTER = '\u{10FFFF}';

export interface ListQuery {
  limit?: number | undefined;
  before?: string | undefined;
  q?: string | undefined;
}

/** The part of the market that the token calls use. */
export interface TokenMarket {
  /** Returns the last feed position up to which MongoDB contains everything (F3). */
  stored(): FeedCursor;
  solUsd(): SolUsd | null;
  /** Returns true while the simulator is one of the sources. */
  simulated(): boolean;
}

/** Queries behind the token calls. Each names its index; queries.integration.test.ts checks it with explain. */
export interface TokenQueries {
  list(query: ListQuery): Promise<TokenRecord[]>;
  /** Resolves with the number of tokens that match `q`, or of all tokens. */
  count(q: string | undefined): Promise<number>;
  /** Drops the cached total, after many tokens were removed at once. */
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
  market: Pick<TokenMarket, 'simulated' | 'solUsd'>;
  clock: Clock;
}

export function createTokenQueries({ models, market, clock }: TokenQueryDeps): TokenQueries {
  const { tokens, trades, samples } = models;

  const current = (records: readonly TokenRecord[]) => {
    const now = clock.now();
    return records.map((record) => withCurrentVolume(record, now));
  };
  const newestFirst = async (filter: QueryFilter<TokenRecord>, limit = LIST_LIMIT_DEFAULT) => {
    const sorted = tokens.find(filter).sort({ listedAt: -1, _id: -1 }).limit(limit);
    return current(await sorted.maxTimeMS(SEARCH_TIME).lean<TokenRecord[]>().exec());
  };

  // Index { _id: 1 }. The collection's own count is free, but wrong after every crash of MongoDB.
  const total = cachedValue(() => tokens.countDocuments().hint({ _id: 1 }).exec(), {
    maxAge: COUNT_MAX_AGE,
    clock,
  });

  return {
    // Index { listedAt: -1, _id: -1 }; with `q` { searchTerms: 1, listedAt: -1 }, and the matches are sorted.
    list({ limit, before, q }) {
      const found = newestFirst({ ...matching(q), ...(before ? after(before) : {}) }, limit);
      return q === undefined ? found : searched(found);
    },
    // With `q` index { searchTerms: 1, listedAt: -1 }.
    count: (q) =>
      q === undefined ? total.read() : searched(tokens.countDocuments(matching(q)).maxTimeMS(SEARCH_TIME).exec()),
    recount: () => total.clear(),
    // Index { listedAt: -1, _id: -1 }.
    newest: (limit) => newestFirst({ listedAt: { $gte: clock.now() - HOUR } }, limit),
    // Partial index { runner: 1, listedAt: -1 } where runner.
    runners: (limit) => newestFirst({ runner: true }, limit),
    // Partial index { mightRun: 1, listedAt: -1 } where mightRun.
    mightRun: (limit) => newestFirst({ mightRun: true }, limit),
    // Index { listedHour: 1, initialLiquidityLamports: -1 }: reads each hour in order and merges the nine.
    earlyLiquidity: async (limit = LIST_LIMIT_DEFAULT) => {
      const found = await tokens
        .find({ listedHour: { $in: hoursBack(clock.now()) }, listedAt: { $gte: clock.now() - EARLY_SPAN } })
        .sort({ initialLiquidityLamports: -1 })
        .limit(limit)
        .lean<TokenRecord[]>()
        .exec();
      return current(found);
    },
    async stats() {
      const now = clock.now();
      const [all, runners, mightRun, launches] = await Promise.all([
        total.read(),
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
    async byAddress(address) {
      const found = await tokens.findById(address).lean<TokenRecord>().exec();
      return found === null ? null : withCurrentVolume(found, clock.now());
    },
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

/** Resolves like `result`. Throws `PublicError('search-too-broad')` when the search ran into its time limit, since the database is there. */
export async function searched<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw isTimeLimitError(error) ? new PublicError('search-too-broad') : error;
  }
}

/** Returns the filter for tokens with, for every word of `q`, a search term that begins with it. */
export function matching(q: string | undefined): QueryFilter<TokenRecord> {
  const words = q === undefined ? [] : searchWords(q);
  if (words.length === 0) return {};
  // A range instead of a regular expression needs no escaping and gives exact index bounds.
  const beginning = (word: string) => ({ searchTerms: { $elemMatch: { $gte: word, $lt: word + LAST_CHARACTER } } });
  return { $and: words.map(beginning) };
}

/** Returns the filter for the tokens after the cursor `<listedAt>_<address>` in the newest-first order. */
function after(cursor: string): QueryFilter<TokenRecord> {
  const [time = '', address = ''] = cursor.split('_');
  const listedAt = Number(time);
  // The first condition bounds the index scan, the second splits tokens of the same millisecond.
  return { listedAt: { $lte: listedAt }, $or: [{ listedAt: { $lt: listedAt } }, { _id: { $lt: address } }] };
}

/** Returns the nine whole hours since the epoch that the last 8 hours touch. */
function hoursBack(now: number): number[] {
  const current = Math.floor(now / HOUR);
  return Array.from({ length: EARLY_SPAN / HOUR + 1 }, (_, back) => current - back);
}

/** Counts the launches of each span. Index { listedAt: -1, _id: -1 } alone covers it. */
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
    // The chain's clock may run ahead of ours: launches dated in the future count as of now.
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
      // A token younger than a few hours has hardly any hourly points, and all its minutes are still stored.
      return now - token.listedAt < 8 * HOUR ? since('minute', 8 * HOUR) : { address: token._id, grain: 'hour' };
  }
}
