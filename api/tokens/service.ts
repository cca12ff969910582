import type { Model, QueryFilter } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';
import { type Clock, HOUR, MINUTE } from '../../common/time.ts';
import type { FilterContext } from '../../common/tokens/filters.ts';
import {
  type Facets,
  LIST_LIMIT_DEFAULT,
  type ListChoice,
  listChoiceSchema,
  type SampleRange,
} from '../../common/tokens/http.ts';
import type { SolUsd } from '../../common/tokens/model.ts';
import { parseCursor } from '../../common/tokens/order.ts';
import { cachedValue } from '../platform/cached-value.ts';
import { createCandleQuery } from './candles.ts';
import type { IndexQuery } from './list-index/list-index.ts';
import type { LiveIndex } from './list-index/live-index.ts';
import {
  detailFields,
  type ListedRecord,
  type SampleRecord,
  type StampedSample,
  type TokenRecord,
  type TradeRecord,
} from './record.ts';
import { withCurrentVolume } from './volume.ts';
import { createCreatorCoins } from './wallets/creator-coins.ts';
import { createHolderFigures } from './wallets/holder-figures.ts';
import type { EarlyWallets } from './wallets/labels.ts';

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

/** The limits of a list, without its order. */
export type ListMembers = Omit<ListChoice, 'sort' | 'order'>;

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
  /** Returns the last feed position, up to which reads from now on contain everything (F3). */
  published(): FeedCursor;
  /** Returns the record of a token in memory, which is newer than the stored one; undefined for any other. Not to be changed. */
  liveRecord(address: string): TokenRecord | undefined;
  /** Returns the trades and samples of a token that may not be in MongoDB yet, oldest first. */
  unstored(address: string): { trades: TradeRecord[]; samples: StampedSample[] };
  /** Resolves with the insiders and first buyers of a token; null when its first trades are unknown. */
  earlyWallets(record: TokenRecord): Promise<EarlyWallets | null>;
  solUsd(): SolUsd | null;
  /** Returns true while the simulator is one of the sources. */
  simulated(): boolean;
}

export type TokenQueries = ReturnType<typeof createTokenQueries>;

export interface TokenQueryDeps {
  models: { tokens: Model<TokenRecord>; trades: Model<TradeRecord>; samples: Model<SampleRecord> };
  index: Pick<LiveIndex, 'ready' | 'page' | 'facets' | 'counts' | 'covered' | 'rows' | 'mayBeUnstored' | 'remove'>;
  market: Omit<TokenMarket, 'published' | 'earlyWallets'>;
  clock: Clock;
}

/** Queries behind the token calls. Those of MongoDB name their index; queries.integration.test.ts checks it with explain. */
export function createTokenQueries({ models, index, market, clock }: TokenQueryDeps) {
  const { tokens, trades } = models;

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

  const { list, facets, indexed } = createPages(tokens, { index, market, clock, total: () => total.read() });
  const newestFirst = { sort: 'detected', order: 'desc' } as const;

  return {
    list,
    facets,
    stateOf: createStates({ index, market, clock }),
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
      const all = await total.read();
      // Last: the index may be loaded again while the tokens are counted.
      await index.ready();
      const counts = index.counts(clock.now());
      if (index.covered !== null) Object.assign(counts, await members.read());
      return { total: all, ...counts, simulated: market.simulated(), solUsd: market.solUsd() };
    },
    async byAddress(address: string): Promise<TokenRecord | null> {
      const found = market.liveRecord(address) ?? (await tokens.findById(address).lean<TokenRecord>().exec());
      return found === null ? null : withCurrentVolume(found, clock.now());
    },
    samples: createSampleQuery({ models, market, clock }),
    candles: createCandleQuery({ models, market, clock }),
    creatorCoins: createCreatorCoins({ tokens, liveRecord: market.liveRecord, clock }),
    holderFigures: createHolderFigures({ trades, unstored: market.unstored, clock }),
    /** Resolves with the newest trades of a token, newest first. Index { address: 1, at: -1 }. */
    async trades(address: string, limit: number = LIST_LIMIT_DEFAULT): Promise<TradeRecord[]> {
      const unstored = market.unstored(address).trades;
      const found = await trades.find({ address }).sort({ at: -1, _id: -1 }).limit(limit).lean<TradeRecord[]>().exec();
      if (unstored.length === 0) return found;
      return joined(found, unstored, ({ _id }) => _id)
        .sort(byNewest)
        .slice(0, limit);
    },
  };
}

/** Creates the query of the points of a chart, oldest first. */
function createSampleQuery({
  models: { samples },
  market,
  clock,
}: Pick<TokenQueryDeps, 'models' | 'market' | 'clock'>) {
  /** Index { address: 1, grain: 1, at: 1 }. */
  return async function pointsIn(token: TokenRecord, range: SampleRange): Promise<SampleRecord[]> {
    // Read first: a write that ends meanwhile would show in neither.
    const unstored = market.unstored(token._id).samples;
    const { grain, since } = pointsOf(token, range, clock.now());
    const at = since === null ? {} : { at: { $gte: since } };
    const found = await samples
      .find({ address: token._id, grain, ...at })
      .sort({ at: 1 })
      .lean<StampedSample[]>()
      .exec();
    const newer = unstored.filter((point) => point.grain === grain && (since === null || point.at >= since));
    // A point of a minute or an hour is replaced by its newer one.
    const keyOf = ({ _id, at }: StampedSample) => (grain === 'full' ? _id.toHexString() : at.getTime());
    return joined(found, newer, keyOf).sort((a, b) => a.at.getTime() - b.at.getTime());
  };
}

/** Resolves with a token by its address. Throws `PublicError('token-not-found')`. */
export async function findOrThrow(queries: Pick<TokenQueries, 'byAddress'>, address: string): Promise<TokenRecord> {
  const token = await queries.byAddress(address);
  if (!token) throw new PublicError('token-not-found');
  return token;
}

/** Returns both, with the newer one of the rows that have the same key. */
function joined<Row>(stored: readonly Row[], newer: readonly Row[], keyOf: (row: Row) => string | number): Row[] {
  if (newer.length === 0) return [...stored];
  const keys = new Set(newer.map(keyOf));
  return [...stored.filter((row) => !keys.has(keyOf(row))), ...newer];
}

function byNewest(a: TradeRecord, b: TradeRecord): number {
  return b.at.getTime() - a.at.getTime() || (a._id < b._id ? 1 : -1);
}

/** The fields of a stored token that lists show, as a projection. */
export const listedProjection = Object.fromEntries(detailFields.map((field) => [field, 0]));

const searchFields = listChoiceSchema.omit({ filter: true, sort: true, order: true }).keyof().options;

/** Returns whether a list is one of many that users choose, and not one of the few that all of them share. */
export function isSearch(choice: ListMembers): boolean {
  return searchFields.some((field) => choice[field] !== undefined);
}

/** Returns whether a list has all tokens. */
export function isOfAll(choice: ListMembers): boolean {
  return choice.filter === undefined && !isSearch(choice);
}

/** Creates the readers of what a list depends on beside the feed: the index, the rate and, with bounds of age, the time. */
function createStates({ index, market, clock }: Pick<TokenQueryDeps, 'index' | 'market' | 'clock'>) {
  return ({ filter, f = '' }: ListMembers): (() => string) => {
    // Not by the parsed ranges: this is a part of each response from a cache.
    const hasAges = filter === 'new' || `,${f}`.includes(',age:');
    return () => `${index.rows().revision} ${market.solUsd()?.rate}${hasAges ? ` ${clock.now()}` : ''}`;
  };
}

/** Returns what filters depend on beside the tokens. */
export function filterContext(market: Pick<TokenMarket, 'solUsd'>, clock: Clock): FilterContext {
  return { now: clock.now(), solUsd: market.solUsd()?.rate ?? null };
}

interface PageDeps extends Pick<TokenQueryDeps, 'index' | 'clock'> {
  market: Pick<TokenMarket, 'liveRecord' | 'solUsd'>;
  total(): Promise<number>;
}

/** Creates the ways to pages of tokens, and to the counts beside their filters. */
function createPages(tokens: Model<TokenRecord>, { index, market, clock, total }: PageDeps) {
  /** Returns the record in memory: the stored one may lack trades that clients have received. */
  const current = (record: ListedRecord): ListedRecord => market.liveRecord(record._id) ?? record;

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
    const records = found.slice(0, limit).map((record) => withCurrentVolume(current(record), now));
    const last = records.at(-1);
    const next = last === undefined || found.length <= limit ? null : `${last.listedAt}_${last._id}`;
    return { records, total: count, next, covered: null };
  }

  /** The place of every row comes from the index, its content from memory or else from MongoDB. Index { _id: 1 }. */
  async function indexed(query: Omit<IndexQuery, 'limit'> & { limit?: number | undefined }): Promise<TokenPage> {
    await index.ready();
    const context = filterContext(market, clock);
    const { now } = context;
    const page = index.page({ ...query, limit: query.limit ?? LIST_LIMIT_DEFAULT }, context);
    const records = new Map<string, ListedRecord>();
    const addLive = () => {
      for (const address of page.addresses) {
        const live = market.liveRecord(address);
        if (live !== undefined) records.set(address, live);
      }
    };
    // Before the read as well: a token may leave memory during it.
    addLive();
    const others = page.addresses.filter((address) => !records.has(address));
    if (others.length > 0) {
      const found = await tokens
        .find({ _id: { $in: others } }, listedProjection)
        .lean<ListedRecord[]>()
        .exec();
      for (const record of found) records.set(record._id, record);
      addLive();
    }
    // A token that MongoDB lacks is not written yet, or expired.
    const expired = others.filter((address) => !records.has(address) && !index.mayBeUnstored(address, now));
    index.remove(expired);
    return {
      records: page.addresses
        .flatMap((address) => records.get(address) ?? [])
        .map((record) => withCurrentVolume(record, now)),
      total: page.total - expired.length,
      next: page.next,
      covered: index.covered,
    };
  }

  return {
    indexed,
    /** Resolves with a page of the tokens that are chosen, newest first unless sorted otherwise. */
    list({ sort = 'detected', order = 'desc', limit, before, ...choice }: ListQuery): Promise<TokenPage> {
      const isPlain = isOfAll(choice) && sort === 'detected' && order === 'desc';
      return isPlain ? all({ limit, before }) : indexed({ ...choice, sort, order, limit, before });
    },
    /** Resolves with the counts beside a filter. */
    async facets(choice: ListMembers): Promise<Facets> {
      const count = await total();
      // Last: the index may be loaded again while the tokens are counted.
      await index.ready();
      const counts = index.facets(choice, filterContext(market, clock));
      return { ...counts, total: Math.max(count, counts.matching) };
    },
  };
}

/** Returns the filter for the tokens after the cursor `<listedAt>_<address>` in the newest-first order. */
function after(cursor: string): QueryFilter<TokenRecord> {
  const { listedAt, address } = parseCursor(cursor);
  // The first condition bounds the index scan, the second splits tokens of the same millisecond.
  return { listedAt: { $lte: listedAt }, $or: [{ listedAt: { $lt: listedAt } }, { _id: { $lt: address } }] };
}

/** Returns which points a chart shows, and the time of the first; null: all of them. */
function pointsOf(
  token: TokenRecord,
  range: SampleRange,
  now: number,
): { grain: SampleRecord['grain']; since: Date | null } {
  const since = (grain: SampleRecord['grain'], span: number) => ({ grain, since: new Date(now - span) });
  switch (range) {
    case '10m':
      return since('full', 10 * MINUTE);
    case '1h':
      return since('minute', HOUR);
    case '8h':
      return since('minute', 8 * HOUR);
    case 'all':
      // A token younger than a few hours has hardly any hourly points, and all its minutes are still stored.
      return now - token.listedAt < 8 * HOUR ? since('minute', 8 * HOUR) : { grain: 'hour', since: null };
  }
}
