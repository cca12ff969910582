import type { CalibrationMarket } from '../../common/calibration/model.ts';
import { RISK_RULES_VERSION } from '../../common/tokens/risk/score.ts';
import { calibrationRoutes } from '../calibration/routes.ts';
import { createCalibration } from '../calibration/service.ts';
import { openCalibrationStore } from '../calibration/store.ts';
import { createCoverage } from '../diagnostics/coverage.ts';
import { diagnosticsRoutes } from '../diagnostics/routes.ts';
import { createDiagnostics } from '../diagnostics/service.ts';
import { monitoredSources } from '../diagnostics/sightings.ts';
import { cacheTokenCounts } from '../diagnostics/token-counts.ts';
import { createMemoryLimiter } from '../http/limits/rate-limits.ts';
import { createLaunches } from '../launches/launches.ts';
import { launchRoutes } from '../launches/routes.ts';
import { createMarket } from '../market/market.ts';
import { createAggregator } from '../market/polling/aggregator.ts';
import { keyStateOf } from '../market/sources/keyring.ts';
import type { Source } from '../market/sources/source.ts';
import type { Part } from '../platform/lifecycle.ts';
import { createRuns } from '../runs/service.ts';
import { createSocialScanner } from '../social/scanner.ts';
import { createPriceApi } from '../source-keys/price-api.ts';
import { sourceRoutes } from '../source-keys/routes.ts';
import { openSourceKeys } from '../source-keys/store.ts';
import { createLiveIndex } from '../tokens/list-index/live-index.ts';
import { openListWatch } from '../tokens/live-lists/open.ts';
import { tokenModels } from '../tokens/model.ts';
import { type CurrentState, tokenRoutes } from '../tokens/routes.ts';
import { createSearchTurns } from '../tokens/search-turns.ts';
import { createTokenQueries } from '../tokens/service.ts';
import type { Accounts } from './accounts.ts';
import type { Core, Routes } from './core.ts';

export type MarketServices = Awaited<ReturnType<typeof openMarketServices>>;

/** Opens the market, the scanners around it and the queries of its tokens. */
export async function openMarketServices(deps: Core & Accounts) {
  const { config, connection, clock, random, log, publisher, keyring, sources, bus, keys, adminActions } = deps;
  const { tokens } = tokenModels(connection);
  const coverage = createCoverage(clock, () => monitoredSources(sources, market.losses));
  const market = createMarket({
    sources,
    connection,
    mayWrite: deps.lease.isHeld,
    publisher,
    bus,
    clock,
    random,
    log,
    solUsd: config.solUsd,
    onObserved: (...observed) => coverage.observed(...observed),
    keyOf: (source) => keyStateOf(keyring, source),
  });
  await market.recover();
  // A new epoch makes clients and other processes fetch again: only now does the database contain what they fetch.
  deps.beginFeed(market.storeFigures);
  const index = createLiveIndex({ tokens, bus, clock, log, isLive: market.has });
  const queries = createTokenQueries({ models: tokenModels(connection), index, market, clock });
  const lists = openListWatch({ tokens, index, market, clock, log });
  const runs = createRuns(deps);
  const aggregator = createAggregator({ sources, market, runs, clock, log });
  const social = createSocialScanner({ ...socialOptions(deps), clock, random, log });
  const sourceKeys = await openSourceKeys({ connection, keys, keyring, sources: ['solana-tracker'], clock, log });
  const baseUrl = config.sources.urls['solana-tracker'];
  const priceApi = createPriceApi({ keyring, sourceKeys, adminActions, baseUrl, clock, random });
  const diagnostics = createDiagnostics({
    counts: cacheTokenCounts({ tokens, market }, clock),
    coverage,
    bus,
    isWatched: () => publisher.hasMembers('diagnostics'),
    clock,
    log,
  });
  const calibration = createCalibration({
    store: await openCalibrationStore(connection),
    bus,
    rulesVersion: RISK_RULES_VERSION,
    clock,
    log,
  });
  const launches = createLaunches({ bus, clock, simulated: market.simulated() });
  const publicRoutes: Routes[] = [
    (router) =>
      launchRoutes(router, {
        launches,
        attempts: createMemoryLimiter(deps.limits.launchesPerAddress),
      }),
  ];
  const searches = createSearchTurns(deps.quickLimits.limiter('search', deps.limits.searchPerUser));
  // Its queries read the market's memory.
  const current: CurrentState = (token) => token;
  const routes: Routes[] = [
    (router) => tokenRoutes(router, { queries, market, bus, clock, searches, current }),
    (router) => sourceRoutes(router, { priceApi }),
    (router) => diagnosticsRoutes(router, { diagnostics }),
    (router) => calibrationRoutes(router, { calibration, queries, currentMarket: () => currentMarket(sources), clock }),
  ];
  const parts: Part[] = [
    { name: 'maintenance runs', stage: 'work', stop: () => runs.stop() },
    { name: 'diagnostics', stage: 'listeners', start: () => diagnostics.start(), stop: () => diagnostics.stop() },
    // Before the market, whose first tick it must not miss.
    { name: 'calibration', stage: 'listeners', start: () => calibration.start(), stop: () => calibration.stop() },
    { name: 'list index', stage: 'listeners', start: () => index.start(), stop: () => index.stop() },
    { name: 'market', stage: 'doors', start: () => market.start(), stop: () => market.stop() },
    { name: 'launches', stage: 'listeners', stop: launches.stop },
    { name: 'aggregator', stage: 'work', start: () => aggregator.start(), stop: () => aggregator.stop() },
    { name: 'social scanner', stage: 'work', start: () => social.start(), stop: () => social.stop() },
  ];
  return { market, index, lists, queries, current, runs, aggregator, social, routes, publicRoutes, parts };
}

function currentMarket(sources: readonly Source[]): CalibrationMarket {
  if (sources.some(({ name }) => name === 'simulator')) return 'simulated';
  return sources.some(({ name }) => name.startsWith('replay:')) ? 'replay' : 'live';
}

function socialOptions({ config }: Core) {
  const { xBearerToken, xAccounts, urls } = config.sources;
  return { token: xBearerToken, accounts: xAccounts, ...(urls.x === undefined ? {} : { apiRoot: urls.x }) };
}
