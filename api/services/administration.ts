import { systemRoutes, userAdminRoutes } from '../admin/routes.ts';
import { createSystem, type SystemDeps } from '../admin/system.ts';
import { createUserAdmin } from '../admin/users.ts';
import { browserChain } from '../chain/endpoint.ts';
import { configRoutes } from '../client-config/routes.ts';
import { maintenanceRoutes } from '../maintenance/routes.ts';
import { createMaintenance } from '../maintenance/service.ts';
import { clusterUrls, createMintLookup } from '../market/sources/solana/facts/mint-lookup.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Part } from '../platform/lifecycle.ts';
import { userModel } from '../users/model.ts';
import type { Accounts } from './accounts.ts';
import type { Core, Routes } from './core.ts';
import type { MarketServices } from './market.ts';
import type { Messaging } from './messaging.ts';
import type { TradingServices } from './trading.ts';
import type { UserData } from './user-data.ts';

/** Figures of this process's live clients. */
export type AdministrationClients = Pick<SystemDeps, 'clients'>;

type Deps = Core &
  Accounts &
  MarketServices &
  UserData &
  Messaging &
  Pick<TradingServices, 'tradingStatus'> &
  AdministrationClients;

/** Opens what serves administrators and operators: users, maintenance, system status, health and the user guide. */
export async function openAdministration(deps: Deps) {
  const {
    config,
    connection,
    publisher,
    chain,
    queries,
    aggregator,
    telegram,
    telegramLinks: links,
    random,
    clock,
  } = deps;
  const userAdmin = createUserAdmin({ ...deps, model: userModel(connection), links });
  const mints = clusterUrls(config, chain);
  const maintenance = createMaintenance({
    ...deps,
    aggregation: aggregator,
    countTokens: () => queries.count(),
    mintLookup: () => createMintLookup(mints, { random, clock }),
  });
  const system = createSystem({
    ...deps,
    newestEvent: () => publisher.cursor().seq,
    isWatched: () => publisher.hasMembers('admin'),
  });
  const routes: Routes[] = [
    (router) => configRoutes(router, { browserChain: browserChain(config, chain), telegram }),
    (router) => userAdminRoutes(router, { userAdmin, adminActions: deps.adminActions }),
    (router) => systemRoutes(router, { system }),
    (router) => maintenanceRoutes(router, { ...config, maintenance, scanners: system.scanners }),
  ];
  const parts: Part[] = [
    { name: 'system status', stage: 'work', start: () => system.start(), stop: () => system.stop() },
  ];
  const { metricsToken: token } = config;
  /** Null: no page for Prometheus. */
  const metrics = token ? createMetrics({ token, system: system.monitor.status, trading: deps.tradingStatus }) : null;
  return { routes, metrics, parts };
}
