import type { Accounts } from './accounts.ts';
import { type AdministrationClients, openAdministration } from './administration.ts';
import type { Core } from './core.ts';
import { openMarketServices } from './market.ts';
import { openMessaging } from './messaging.ts';
import { publicRoutes } from './public.ts';
import { openTradingServices } from './trading.ts';
import { openUserData } from './user-data.ts';

/** Opens everything, for the process that has the lease: market, trading, messages and all calls. */
export async function openWorker(base: Core & Accounts & AdministrationClients) {
  const market = await openMarketServices(base);
  const userData = await openUserData({ ...base, ...market });
  const trading = await openTradingServices({ ...base, ...market, ...userData });
  const messaging = await openMessaging({ ...base, ...market, ...userData, ...trading });
  const administration = await openAdministration({ ...base, ...market, ...userData, ...trading, ...messaging });
  const stages = [base, market, userData, trading, messaging, administration];
  return {
    index: market.index,
    marketFacts: () => ({ simulated: market.market.simulated(), solUsd: market.market.solUsd() }),
    lists: market.lists,
    routes: stages.flatMap(({ routes }) => routes),
    publicRoutes: [...publicRoutes({ ...base, ...market }), ...market.publicRoutes],
    metrics: administration.metrics,
    forward: null,
    parts: [...userData.parts, ...trading.parts, ...messaging.parts, ...administration.parts, ...market.parts],
  };
}
