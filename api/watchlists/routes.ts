import type { RouterInstance } from '@koa/router';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import { register } from '../http/route.ts';
import type { Market } from '../market/market.ts';
import { feedHeaders } from '../tokens/list-cache.ts';
import { presentToken } from '../tokens/present.ts';
import type { CurrentState } from '../tokens/routes.ts';
import type { Watchlists } from './service.ts';

export function watchlistRoutes(
  router: RouterInstance,
  { watchlists, market, current }: { watchlists: Watchlists; market: Pick<Market, 'published'>; current: CurrentState },
): void {
  register(router, watchlistCalls.list, (_input, { user }) => watchlists.entries(user._id.toHexString()));

  register(router, watchlistCalls.tokens, async ({ params }, { user, ctx }) => {
    // Read before the query (F3): the list may be newer than these headers, never older.
    ctx.set(feedHeaders(market.published()));
    const records = await watchlists.tokens(user._id.toHexString(), params.list);
    return records.map((record) => current(presentToken(record)));
  });

  register(router, watchlistCalls.add, ({ params }, { user }) =>
    watchlists.add(user._id.toHexString(), params.list, params.address),
  );

  register(router, watchlistCalls.remove, async ({ params }, { user }) => {
    await watchlists.remove(user._id.toHexString(), params.list, params.address);
    return { ok: true as const };
  });
}
