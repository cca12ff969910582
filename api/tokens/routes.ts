import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';
import { COVERED_COUNT_HEADER, NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { EventSource } from '../events/bus.ts';
import { createJsonText, type JsonText } from '../http/json-text.ts';
import { register } from '../http/route.ts';
import { createListCache, type PreparedList, setFeedHeaders } from './list-cache.ts';
import { presentDetail, presentHolders, presentSample, presentToken, presentTrade } from './present.ts';
import type { TokenRecord } from './record.ts';
import type { ListQuery, PageQuery, TokenMarket, TokenPage, TokenQueries } from './service.ts';

export interface TokenRouteDeps {
  queries: TokenQueries;
  market: TokenMarket;
  bus: EventSource;
  clock: Clock;
}

/** Registers the calls about tokens: lists with their feed position, and one token with its samples, trades and holders. */
export function tokenRoutes(router: RouterInstance, deps: TokenRouteDeps): void {
  const { queries, market } = deps;
  registerLists(router, deps);

  register(router, tokenCalls.detail, async ({ params }, { ctx }) => {
    setFeedHeaders(ctx, market.stored());
    return presentDetail(await findOrThrow(queries, params.address), market.solUsd());
  });

  register(router, tokenCalls.samples, async ({ params, query: { range = '1h' } }) => {
    const samples = await queries.samples(await findOrThrow(queries, params.address), range);
    return samples.map(presentSample);
  });

  register(router, tokenCalls.trades, async ({ params, query: { limit } }) => {
    const { decimals } = await findOrThrow(queries, params.address);
    const trades = await queries.trades(params.address, limit);
    return trades.map((trade) => presentTrade(trade, decimals));
  });

  register(router, tokenCalls.holders, async ({ params }) =>
    presentHolders(await findOrThrow(queries, params.address)),
  );
}

function registerLists(router: RouterInstance, { queries, market, bus, clock }: TokenRouteDeps): void {
  const cached = createListCache(() => market.stored(), clock);
  bus.on('token-removed', () => {
    cached.clear();
    queries.recount();
  });

  /** Sends a page of a list; `name` stands for its query. First pages are the same for many users, and cached. */
  async function sendPage(
    ctx: Koa.Context,
    name: string,
    query: PageQuery & Pick<ListQuery, 'q'>,
    read: () => Promise<TokenPage>,
    wrap: (tokens: Token[]) => unknown = (tokens) => tokens,
  ): Promise<JsonText> {
    const prepare = async () => {
      const { records, ...page } = await read();
      return { ...page, json: createJsonText(wrap(records.map(presentToken))) };
    };
    // Searches and further pages differ between users: caching them would evict the lists that all users share.
    const isShared = query.q === undefined && query.before === undefined;
    if (isShared) return respond(ctx, await cached(`${name} ${JSON.stringify(query)}`, prepare));
    // Before the query (F3).
    const cursor = market.stored();
    return respond(ctx, { ...(await prepare()), cursor });
  }

  register(router, tokenCalls.list, ({ query }, { ctx }) => sendPage(ctx, 'list', query, () => queries.list(query)));

  register(router, tokenCalls.new, ({ query }, { ctx }) => sendPage(ctx, 'new', query, () => queries.newest(query)));

  register(router, tokenCalls.runners, ({ query }, { ctx }) =>
    sendPage(ctx, 'runners', query, () => queries.runners(query)),
  );

  register(router, tokenCalls.mightRun, ({ query }, { ctx }) => {
    const { envelope, ...page } = query;
    const wrap = envelope === '1' ? (tokens: Token[]) => ({ tokens }) : undefined;
    return sendPage(ctx, 'mightRun', query, () => queries.mightRun(page), wrap);
  });

  register(router, tokenCalls.earlyLiquidity, ({ query }, { ctx }) =>
    sendPage(ctx, 'earlyLiquidity', query, () => queries.earlyLiquidity(query)),
  );

  register(router, tokenCalls.stats, async (_input, { ctx }) => {
    const read = async () => ({ json: createJsonText(await queries.stats()), total: null, next: null, covered: null });
    return respond(ctx, await cached('stats', read));
  });
}

async function findOrThrow(queries: TokenQueries, address: string): Promise<TokenRecord> {
  const token = await queries.byAddress(address);
  if (!token) throw new PublicError('token-not-found');
  return token;
}

function respond(ctx: Koa.Context, { json, cursor, total, next, covered }: PreparedList): JsonText {
  setFeedHeaders(ctx, cursor);
  if (total !== null) ctx.set(TOTAL_COUNT_HEADER, String(total));
  if (next !== null) ctx.set(NEXT_CURSOR_HEADER, next);
  if (covered !== null) ctx.set(COVERED_COUNT_HEADER, String(covered));
  return json;
}
