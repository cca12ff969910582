import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { choiceOfList, listNameOf } from '../../common/live/lists.ts';
import { COVERED_COUNT_HEADER, NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { type Clock, SECOND } from '../../common/time.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token, TokenDetail } from '../../common/tokens/model.ts';
import type { EventSource } from '../events/bus.ts';
import { createJsonText, type JsonText } from '../http/json-text.ts';
import { type Caller, register } from '../http/route.ts';
import { createRecentReads } from '../platform/recent-reads.ts';
import { createListCache, feedHeaders, type PreparedList } from './list-cache.ts';
import { presentCandles, presentDetail, presentSample, presentToken, presentTrade } from './present.ts';
import type { SearchTurns } from './search-turns.ts';
import {
  findOrThrow,
  isOfAll,
  isSearch,
  type ListMembers,
  type PageQuery,
  type TokenMarket,
  type TokenPage,
  type TokenQueries,
} from './service.ts';
import { walletRoutes } from './wallets/routes.ts';

export interface TokenRouteDeps {
  queries: TokenQueries;
  market: TokenMarket;
  bus: EventSource;
  clock: Clock;
  searches: SearchTurns;
  /** Returns the newest published state of a token; the same one where `market` has it. */
  current: CurrentState;
}

/** Brings a presented token up to date. */
export type CurrentState = <Read extends Token>(read: Read) => Read;

/** Searches and further pages of lists that are kept, at most. */
const MAX_OTHER_PAGES = 32;
/** Details that are kept, at most. */
const MAX_DETAILS = 64;
/** Counts beside filters that are kept, at most, and how long they are reused, ms: each takes a scan of all tokens. */
const MAX_FACETS = 64;
const FACETS_MAX_AGE = SECOND;

/** Registers the calls about tokens: lists with their feed position, and one token with its samples, candles, trades and holders. */
export function tokenRoutes(router: RouterInstance, deps: TokenRouteDeps): void {
  const { queries } = deps;
  registerLists(router, deps);
  registerFacets(router, deps);
  registerDetail(router, deps);

  registerCandles(router, deps);

  register(router, tokenCalls.samples, async ({ params, query: { range = '1h' } }) => {
    const samples = await queries.samples(await findOrThrow(queries, params.address), range);
    return samples.map(presentSample);
  });

  register(router, tokenCalls.trades, async ({ params, query: { limit } }) => {
    const { decimals } = await findOrThrow(queries, params.address);
    const trades = await queries.trades(params.address, limit);
    return trades.map((trade) => presentTrade(trade, decimals));
  });

  walletRoutes(router, deps);
}

interface PageOptions {
  wrap?: ((tokens: Token[]) => unknown) | undefined;
  /** Returns what the page depends on beside the feed. */
  state?: (() => string) | undefined;
}

const unwrapped = (tokens: Token[]): unknown => tokens;

function registerLists(router: RouterInstance, deps: TokenRouteDeps): void {
  const { queries, market, bus, clock, searches, current } = deps;
  const published = () => market.published();
  const cached = createListCache(published, clock);
  // Searches and further pages differ between users: together with the lists that all users share, they would evict these.
  const others = createListCache(published, clock, MAX_OTHER_PAGES);
  bus.on('token-removed', () => {
    cached.clear();
    others.clear();
    queries.recount();
  });

  /** Sends a page of a list; `name` stands for its query. The same page is read and serialised once, however many ask. */
  async function sendPage(
    { ctx, user }: Caller<'user'>,
    name: string,
    query: PageQuery & ListMembers,
    read: () => Promise<TokenPage>,
    { wrap = unwrapped, state }: PageOptions = {},
  ): Promise<JsonText> {
    const prepare = async () => {
      const { records, ...page } = await read();
      return { ...page, json: createJsonText(wrap(records.map((record) => current(presentToken(record))))) };
    };
    const key = `${name} ${JSON.stringify(query)}`;
    if (isSearch(query)) {
      return respond(ctx, await searches.run(user._id.toHexString(), () => others(key, prepare, state)), false);
    }
    return respond(ctx, await (query.before === undefined ? cached : others)(key, prepare, state));
  }

  register(router, tokenCalls.list, ({ query }, caller) => {
    // A client that follows the list gets no event for a token that was in it before the page was read.
    const state = isOfAll(query) ? undefined : queries.stateOf(query);
    return sendPage(caller, 'list', query, () => queries.list(query), { state });
  });

  register(router, tokenCalls.new, ({ query }, caller) => sendPage(caller, 'new', query, () => queries.newest(query)));

  register(router, tokenCalls.runners, ({ query }, caller) =>
    sendPage(caller, 'runners', query, () => queries.runners(query)),
  );

  register(router, tokenCalls.mightRun, ({ query }, caller) => {
    const { envelope, ...page } = query;
    const wrap = envelope === '1' ? (tokens: Token[]) => ({ tokens }) : undefined;
    return sendPage(caller, 'mightRun', query, () => queries.mightRun(page), { wrap });
  });

  register(router, tokenCalls.earlyLiquidity, ({ query }, caller) =>
    sendPage(caller, 'earlyLiquidity', query, () => queries.earlyLiquidity(query)),
  );

  register(router, tokenCalls.stats, async (_input, { ctx }) => {
    const read = async () => ({ json: createJsonText(await queries.stats()), total: null, next: null, covered: null });
    return respond(ctx, await cached('stats', read));
  });
}

/** Registers the counts beside a filter, which are counted once a second, however many watch them. */
function registerFacets(router: RouterInstance, { queries, clock, searches }: TokenRouteDeps): void {
  const read = async (list: string) => createJsonText(await queries.facets(choiceOfList(list) ?? {}));
  const recent = createRecentReads(read, { maxAge: FACETS_MAX_AGE, max: MAX_FACETS, clock });

  register(router, tokenCalls.facets, ({ query }, { user }) => {
    const list = listNameOf(query);
    return searches.run(user._id.toHexString(), async () => (await recent.get(list)) ?? read(list));
  });
}

/** Registers the details of a token, which are read and serialised once per feed position, however many watch it. */
function registerDetail(router: RouterInstance, { queries, market, bus, clock, current }: TokenRouteDeps): void {
  const details = createListCache(() => market.published(), clock, MAX_DETAILS);
  bus.on('token-removed', () => details.clear());

  register(router, tokenCalls.detail, async ({ params: { address } }, { ctx }) => {
    const read = async () => {
      const detail = withOneRisk(current(presentDetail(await findOrThrow(queries, address), market.solUsd())));
      return { json: createJsonText(detail), total: null, next: null, covered: null };
    };
    return respond(ctx, await details(address, read));
  });
}

/** Registers the candles of a token, which are computed and serialised once per feed position, however many watch it. */
function registerCandles(router: RouterInstance, { queries, market, bus, clock, searches }: TokenRouteDeps): void {
  const pages = createListCache(() => market.published(), clock, MAX_DETAILS);
  bus.on('token-removed', () => pages.clear());

  register(router, tokenCalls.candles, async ({ params: { address }, query }, { ctx, user }) => {
    const read = async () => {
      const token = await findOrThrow(queries, address);
      const json = createJsonText(presentCandles(await queries.candles(token, query)));
      return { json, total: null, next: null, covered: null };
    };
    const page = () => pages(`${address} ${JSON.stringify(query)}`, read);
    // Older pages differ between users, and each looks through thousands of trades.
    return respond(ctx, await (query.before === undefined ? page() : searches.run(user._id.toHexString(), page)));
  });
}

/** Returns a detail whose factors carry the risk of its other fields, which may be newer. */
function withOneRisk(detail: TokenDetail): TokenDetail {
  const { scamProbability: score, riskCoverage: coverage, riskReason: reason } = detail;
  return { ...detail, risk: { ...detail.risk, score, coverage, reason } };
}

/** Responds with a list, which further requests for it share unless each has to be counted. */
function respond(ctx: Koa.Context, list: PreparedList, isShared = true): JsonText {
  const { json, cursor, total, next, covered, isCurrent } = list;
  const headers = feedHeaders(cursor);
  if (total !== null) headers[TOTAL_COUNT_HEADER] = String(total);
  if (next !== null) headers[NEXT_CURSOR_HEADER] = next;
  if (covered !== null) headers[COVERED_COUNT_HEADER] = String(covered);
  ctx.set(headers);
  if (isShared) ctx.state.share?.({ json, headers, isCurrent });
  return json;
}
