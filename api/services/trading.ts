import type { ServerTrading } from '../../common/trading/account.ts';
import { createSimulatedCoins } from '../launchpad/launchpad.ts';
import { poolProgram } from '../launchpad/pool.ts';
import { createSizeBound } from '../market/operations/size-bound.ts';
import type { Part } from '../platform/lifecycle.ts';
import { previewRoutes } from '../preview/routes.ts';
import { createPreviews } from '../preview/service.ts';
import { createBotTrading } from '../telegram/trading/engine.ts';
import { openDecisions } from '../trading/decisions/decisions.ts';
import { createExecutors } from '../trading/executors/create-executors.ts';
import { openPlanEngine } from '../trading/plans/open-engine.ts';
import { openPositions } from '../trading/positions/positions.ts';
import { openReplay, tapeFolder } from '../trading/replay/open-replay.ts';
import { createGivenUpPositions } from '../trading/stop/given-up.ts';
import { createTapeFigures } from '../trading/tape/reader.ts';
import { createTape, type Tape } from '../trading/tape/tape.ts';
import { openTrading } from '../trading/trading.ts';
import { walletRoutes } from '../wallet/routes.ts';
import type { Accounts } from './accounts.ts';
import type { Core, Routes } from './core.ts';
import type { MarketServices } from './market.ts';
import type { UserData } from './user-data.ts';

export type TradingServices = Awaited<ReturnType<typeof openTradingServices>>;

/** Opens trading: the executors of the configured mode, orders, positions and the stop; and the calls of wallets, which concern them. */
export async function openTradingServices(deps: Core & Accounts & MarketServices & UserData) {
  const { config, log, publisher, market, keyring, listedCoins: listed } = deps;
  const simulated = listed && createSimulatedCoins({ market, listed });
  const executors = createExecutors({
    ...deps,
    simulated,
    localPools: poolProgram,
    jupiterKey: () => keyring.current('jupiter'),
    trading: () => trading,
  });
  const tapeDir = tapeFolder(config.dataDir);
  const tape: Tape | null = isRecording(config, executors.server)
    ? createTape({
        dir: tapeDir,
        limits: config.tape,
        snapshot: () => engine.snapshot(),
        log,
      })
    : null;
  const trading = await openTrading({
    ...deps,
    ...executors,
    openPositions: openPositions(deps),
    engineFigures: () => engine.figures(),
    tapeFigures: tape ? createTapeFigures({ dir: tapeDir, tape, clock: deps.clock }) : undefined,
    isWatched: () => publisher.hasMembers('admin'),
  });
  const { accounts, positions } = trading;
  const explainer = () => (engine.figures().isDeciding ? engine : null);
  const decisions = await openDecisions({ ...deps, accounts, positions, explainer });
  const engine = openPlanEngine({
    ...deps,
    ...executors,
    trading,
    decisions: decisions.sink,
    ...(tape ? { tape } : {}),
  });
  const replay = openReplay({ ...deps, ...executors, dataDir: config.dataDir, accounts, tape, trading });
  const previews = await createPreviews({ ...deps, accounts });
  const sizeBound = createSizeBound({
    ...deps,
    bytes: config.marketBytes,
    held: () => positions.withPeaks().map(({ position }) => position.token.address),
    log: log.child({ part: 'market size' }),
  });
  const givenUp = createGivenUpPositions({ ...deps, ...trading });
  const botTrading = createBotTrading({ trading, openPositions: positions.listOpen });
  const routes: Routes[] = [
    ...trading.routes,
    ...decisions.routes,
    ...replay.routes,
    (router) => previewRoutes(router, { previews }),
    (router) => walletRoutes(router, { ...deps, positions: givenUp }),
  ];
  const parts: Part[] = [
    { name: 'trading node', stage: 'doors', start: () => executors.start(), stop: () => executors.stop() },
    ...decisions.parts,
    ...trading.parts,
    ...replay.parts,
    ...(tape ? [{ name: 'tape', stage: 'doors' as const, start: () => tape.start(), stop: () => tape.stop() }] : []),
    { name: 'market size', stage: 'work', start: () => sizeBound.start(), stop: () => sizeBound.stop() },
    { name: 'rules and strategies', stage: 'work', start: () => engine.start(), stop: () => engine.stop() },
  ];
  return { botTrading, explainToken: decisions.explain, tradingStatus: trading.status.read, routes, parts };
}

/** Returns whether hours are recorded: while anything is traded, and some are to be kept. */
function isRecording({ tape }: Core['config'], server: ServerTrading): boolean {
  return server !== 'off' && tape.hours > 0 && tape.bytes > 0;
}
