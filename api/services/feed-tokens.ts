import type { Part } from '../platform/lifecycle.ts';
import { openMarketFacts } from '../processes/market-facts.ts';
import { createFeedIndex } from '../tokens/feed/feed-index.ts';
import { tokenModels } from '../tokens/model.ts';
import { tokenRoutes } from '../tokens/routes.ts';
import { createSearchTurns } from '../tokens/search-turns.ts';
import { createTokenQueries, type TokenMarket } from '../tokens/service.ts';
import type { Core, Routes } from './core.ts';

/** Opens the token calls of a process without the market: they read MongoDB, and what the feed has changed since. */
export async function openFeedTokens({ connection, feedLog, bus, clock, log, limits, quickLimits }: Core) {
  const models = tokenModels(connection);
  const facts = await openMarketFacts(connection, log);
  const index = createFeedIndex({ tokens: models.tokens, feedLog, clock, log });
  const market: TokenMarket = {
    published: feedLog.head,
    liveRecord: () => undefined,
    unstored: () => ({ trades: [], samples: [] }),
    earlyWallets: async () => null,
    solUsd: () => facts.current().solUsd,
    simulated: () => facts.current().simulated,
  };
  const queries = createTokenQueries({ models, index, market, clock });
  const searches = createSearchTurns(quickLimits.limiter('search', limits.searchPerUser));
  const { current } = index;
  const routes: Routes[] = [(router) => tokenRoutes(router, { queries, market, bus, clock, searches, current })];
  const parts: Part[] = [
    { name: 'market facts', stage: 'listeners', start: facts.start, stop: facts.stop },
    { name: 'list index', stage: 'listeners', start: index.start, stop: index.stop },
  ];
  return { market, current, routes, parts };
}
