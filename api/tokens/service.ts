import type { Model, QueryFilter } from 'mongoose';
import type { FeedCursor } from '../../common/live/protocol.ts';
import { type Clock, HOUR, MINUTE } from '../../common/time.ts';
import { LIST_LIMIT_DEFAULT, type ListChoice, type SampleRange } from '../../common/tokens/http.ts';
import type { SolUsd } from '../../common/tokens/model.ts';
import { parseCursor } from '../../common/tokens/order.ts';
import { cachedValue } from '../platform/cached-value.ts';
import type { IndexQuery } from './list-index/list-index.ts';
import type { LiveIndex } from './list-index/live-index.ts';
import { detailFields, type ListedRecord, type SampleRecord, type TokenRecord, type TradeRecord } from './record.ts';
import { withCurrentVolume } from './volume.ts';

/** Greatest age of a token in early liquidity, ms. */
const EARLY_SPAN = 8 * HOUR;
/** Greatest age of a count, ms: every list carries the total, and counting takes time in proportion to the tokens. */
const COUNT_MAX_AGE = 2_000;

export interface PageQuery {
  limit?: number | undefined;
  /** Cursor of the page before. */
  before?: string | undefined;
}

export interface ListQuery extends ListChoice, PageQuery {}

/** One page of a list. */
export interface TokenPage {
  records: ListedRecord[];
  /** Number of all matches. */
  total: number;
  /** Cursor of the next page; null at the end. */
  next: string | null;
  /** Number of the newest tokens that the list is made from; null when these are all. */
  covered: number | null;
}

/** The part of the market that the token calls use. */
export interface TokenMarket {
  /** Returns the last feed position up to which MongoDB contains everything (F3). */
  stored(): FeedCursor;
  solUsd(): SolUsd | null;
  /** Returns true while the simulator is one of the sources. */
  simulated(): boolean;
}

export type TokenQueries = ReturnType<typeof createTokenQueries>;

export interface TokenQueryDeps {
  models: { tokens: Model<TokenRecord>; trades: Model<TradeRecord>; samples: Model<SampleRecord> };
  index: Pick<LiveIndex, 'ready' | 'page' | 'counts' | 'covered' | 'mayBeUnstored' | 'remove'>;
  market: Pick<TokenMarket, 'simulated' | 'solUsd'>;
  clock: Clock;
}

/** Queries behind the token calls. Those of MongoDB name their index; queries.integration.test.ts checks it with explain. */
export function createTokenQueries({ models, index, market, clock }: TokenQueryDeps) {
  const { tokens, trades, samples } = models;

  // Index { _id: 1 }. The collection's own count is free, but wrong after every crash of MongoDB.
  const total = cachedValue(() => tokens.countDocuments().hint({ _id: 1 }).exec(), {
    maxAge: COUNT_MAX_AGE,
    clock,
  });

  /** The two counts that older tokens belong to. Partial indexes { runner: 1, … } and { mightRun: 1, … }: of members only. */
  const members = cachedValue(
    async () => {
      const [runners, mightRun] = await Promise.all([
        tokens.countDocuments({ runner: true }).hint({ runner: 1, listedAt: -1, _id: -1 }).exec(),
        tokens.countDocuments({ mightRun: true }).hint({ mightRun: 1, listedAt: -1, _id: -1 }).exec(),
      ]);
      return { runners, mightRun };
    },
    { maxAge: COUNT_MAX_AGE, clock },
  );

  const { all, indexed } = createPages(tokens, { index, clock, total: () => total.read() });
  const newestFirst = { sort: 'detected', order: 'desc' } as const;

  return {
    /** Resolves with a page of the tokens that are chosen, newest first unless sorted otherwise. */
    list({ filter, q, sort = 'detected', order = 'desc', ...page }: ListQuery): Promise<TokenPage> {
      const isPlain = filter === undefined && q === undefined && sort === 'detected' && order === 'desc';
      return isPlain ? all(page) : indexed({ filter, q, sort, order, ...page });
    },
    /** Resolves with the number of all tokens. */
    count: () => total.read(),
    /** Drops the cached counts, after many tokens were removed at once. */
    recount() {
      total.clear();
      members.clear();
    },
    newest: (page: PageQuery) => indexed({ ...newestFirst, filter: 'new', ...page }),
    runners: (page: PageQuery) => indexed({ ...newestFirst, filter: 'runners', ...page }),
    mightRun: (page: PageQuery) => indexed({ ...newestFirst, filter: 'might-run', ...page }),
    earlyLiquidity: (page: PageQuery) =>
      indexed({ sort: 'initialLiquidity', order: 'desc', since: clock.now() - EARLY_SPAN, ...page }),
    async stats() {
      const [all] = await Promise.all([total.read(), index.ready]);
      const counts = index.counts(clock.now());
      if (index.covered !== null) Object.assign(counts, await members.read());
      return { total: all, ...counts, simulated: market.simulated(), solUsd: market.solUsd() };
    },
    async byAddress(address: string): Promise<TokenRecord | null> {
      const found = await tokens.findById(address).lean<TokenRecord>().exec();
      return found === null ? null : withCurrentVolume(found, clock.now());
    },
    // Index { address: 1, grain: 1, at: 1 }.
    samples: (token: TokenRecord, range: SampleRange) =>
      samples
        .find(samplesOf(token, range, clock.now()))
        .sort({ at: 1 })
        .lean<SampleRecord[]>()
        .exec(),
    // Index { address: 1, at: -1 }.
    trades: (address: string, limit: number = LIST_LIMIT_DEFAULT) =>
      trades.find({ address }).sort({ at: -1, _id: -1 }).limit(limit).lean<TradeRecord[]>().exec(),
  };
}

const listedProjection = Object.fromEntries(detailFields.map((field) => [field, 0]));

interface PageDeps extends Pick<TokenQueryDeps, 'index' | 'clock'> {
  total(): Promise<number>;
}

/** Creates the two ways to a page of tokens. */
function createPages(tokens: Model<TokenRecord>, { index, clock, total }: PageDeps) {
  /** All tokens, newest first: from MongoDB, since the index may lack the oldest. Index { listedAt: -1, _id: -1 }. */
  async function all({ limit = LIST_LIMIT_DEFAULT, before }: PageQuery): Promise<TokenPage> {
    const [found, count] = await Promise.all([
      tokens
        .find(before === undefined ? {} : after(before), listedProjection)
        .sort({ listedAt: -1, _id: -1 })
        .limit(limit + 1)
        .lean<ListedRecord[]>()
        .exec(),
      total(),
    ]);
    const now = clock.now();
    const records = found.slice(0, limit).map((record) => withCurrentVolume(record, now));
    const last = records.at(-1);
    const next = last === undefined || found.length <= limit ? null : `${last.listedAt}_${last._id}`;
    return { records, total: count, next, covered: null };
  }

  /** The place of every row comes from the index, its content from MongoDB. Index { _id: 1 }. */
  async function indexed(query: Omit<IndexQuery, 'limit'> & { limit?: number | undefined }): Promise<TokenPage> {
    await index.ready;
    const now = clock.now();
    const page = index.page({ ...query, limit: query.limit ?? LIST_LIMIT_DEFAULT }, now);
    const found = await tokens
      .find({ _id: { $in: page.addresses } }, listedProjection)
      .lean<ListedRecord[]>()
      .exec();
    const stored = new Map(found.map((record) => [record._id, record]));
    // A token that MongoDB lacks is not written yet, or expired.
    const expired = page.addresses.filter((address) => !stored.has(address) && !index.mayBeUnstored(address, now));
    index.remove(expired);
    const records = page.addresses.flatMap((address) => stored.get(address) ?? []);
    return {
      records: records.map((record) => withCurrentVolume(record, now)),
      total: page.total - expired.length,
      next: page.next,
      covered: index.covered,
    };
  }
  return { all, indexed };
}

/** Returns the filter for the tokens after the cursor `<listedAt>_<address>` in the newest-first order. */
function after(cursor: string): QueryFilter<TokenRecord> {
  const { listedAt, address } = parseCursor(cursor);
  // The first condition bounds the index scan, the second splits tokens of the same millisecond.
  return { listedAt: { $lte: listedAt }, $or: [{ listedAt: { $lt: listedAt } }, { _id: { $lt: address } }] };
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
