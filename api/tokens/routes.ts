import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { EventSource } from '../events/bus.ts';
import { createJsonText, type JsonText } from '../http/json-text.ts';
import { register } from '../http/route.ts';
import { createListCache, type PreparedList, setFeedHeaders } from './list-cache.ts';
import { presentDetail, presentHolders, presentSample, presentToken, presentTrade } from './present.ts';
import type { TokenRecord } from './record.ts';
import type { TokenMarket, TokenQueries } from './service.ts';

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

  /** Sends a list that is the same for every user, from the cache. */
  async function sendList(ctx: Koa.Context, name: string, read: () => Promise<TokenRecord[]>): Promise<JsonText> {
    return respond(ctx, await cached(name, async () => ({ json: listJson(await read()), total: null })));
  }

  register(router, tokenCalls.list, async ({ query }, { ctx }) => {
    const read = async () => {
      const [records, total] = await Promise.all([queries.list(query), queries.count(query.q)]);
      return { json: listJson(records), total };
    };
    // Searches and further pages differ between users: caching them would evict the lists that all users share.
    const isShared = query.q === undefined && query.before === undefined;
    if (isShared) return respond(ctx, await cached(`list ${query.limit}`, read));
    const cursor = market.stored();
    return respond(ctx, { ...(await read()), cursor });
  });

  register(router, tokenCalls.new, ({ query: { limit } }, { ctx }) =>
    sendList(ctx, `new ${limit}`, () => queries.newest(limit)),
  );

  register(router, tokenCalls.runners, ({ query: { limit } }, { ctx }) =>
    sendList(ctx, `runners ${limit}`, () => queries.runners(limit)),
  );

  register(router, tokenCalls.mightRun, async ({ query: { limit, envelope } }, { ctx }) => {
    if (envelope !== '1') return sendList(ctx, `mightRun ${limit}`, () => queries.mightRun(limit));
    const read = async () => {
      const tokens = (await queries.mightRun(limit)).map(presentToken);
      return { json: createJsonText({ tokens }), total: null };
    };
    return respond(ctx, await cached(`mightRun in an envelope ${limit}`, read));
  });

  register(router, tokenCalls.earlyLiquidity, ({ query: { limit } }, { ctx }) =>
    sendList(ctx, `earlyLiquidity ${limit}`, () => queries.earlyLiquidity(limit)),
  );

  register(router, tokenCalls.stats, async (_input, { ctx }) => {
    const read = async () => ({ json: createJsonText(await queries.stats()), total: null });
    return respond(ctx, await cached('stats', read));
  });
}

async function findOrThrow(queries: TokenQueries, address: string): Promise<TokenRecord> {
  const token = await queries.byAddress(address);
  if (!token) throw new PublicError('token-not-found');
  return token;
}

function listJson(records: readonly TokenRecord[]): JsonText {
  return createJsonText(records.map(presentToken));
}

function respond(ctx: Koa.Context, { json, cursor, total }: PreparedList): JsonText {
  setFeedHeaders(ctx, cursor);
  if (total !== null) ctx.set(TOTAL_COUNT_HEADER, String(total));
  return json;
}
