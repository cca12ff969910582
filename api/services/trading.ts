import { poolProgram } from '../launchpad/pool.ts';
import { createSimulatedCoins } from '../launchpad/simulated-coins.ts';
import type { Part } from '../platform/lifecycle.ts';
import { createBotTrading } from '../telegram/trading/engine.ts';
import { openDecisions } from '../trading/decisions/decisions.ts';
import { openPlanEngine } from '../trading/engine/open-engine.ts';
import { createExecutors } from '../trading/executors/create-executors.ts';
import { openPositions } from '../trading/positions/positions.ts';
import { openTrading } from '../trading/trading.ts';
import type { Accounts } from './accounts.ts';
import type { Core, Routes } from './core.ts';
import type { MarketServices } from './market.ts';
import type { UserData } from './user-data.ts';

export type TradingServices = Awaited<ReturnType<typeof openTradingServices>>;

/** Opens trading: the executors of the configured mode, orders, positions and the stop. */
export async function openTradingServices(deps: Core & Accounts & MarketServices & UserData) {
  const { publisher, market, keyring, listedCoins: listed } = deps;
  const simulated = listed && createSimulatedCoins({ market, listed });
  const executors = createExecutors({
    ...deps,
    simulated,
    localPools: poolProgram,
    jupiterKey: () => keyring.current('jupiter'),
    trading: () => trading,
  });
  const trading = await openTrading({
    ...deps,
    ...executors,
    openPositions: openPositions(deps),
    engineFigures: () => engine.figures(),
    isWatched: () => publisher.listens('admin'),
  });
  const { accounts, positions } = trading;
  const explainer = () => (engine.figures().isDeciding ? engine : null);
  const decisions = await openDecisions({ ...deps, accounts, positions, explainer });
  const engine = openPlanEngine({ ...deps, ...executors, trading, decisions: decisions.sink });
  const botTrading = createBotTrading({ trading, openPositions: positions.listOpen });
  const routes: Routes[] = [...trading.routes, ...decisions.routes];
  const parts: Part[] = [
    { name: 'trading node', stage: 'doors', start: () => executors.start(), stop: () => executors.stop() },
    ...decisions.parts,
    ...trading.parts,
    { name: 'rules and strategies', stage: 'work', start: () => engine.start(), stop: () => engine.stop() },
  ];
  return { botTrading, explainToken: decisions.explain, routes, parts };
}
