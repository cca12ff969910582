import type { Market } from '../market/market.ts';
import type { Part } from '../platform/lifecycle.ts';
import { presetRoutes } from '../presets/routes.ts';
import { openPresets } from '../presets/service.ts';
import { ruleRoutes } from '../rules/routes.ts';
import { openRules } from '../rules/service.ts';
import { settingsRoutes } from '../settings/routes.ts';
import { createSettings } from '../settings/service.ts';
import { strategyRoutes } from '../strategies/routes.ts';
import { openStrategies } from '../strategies/service.ts';
import type { CurrentState } from '../tokens/routes.ts';
import { createFollower } from '../transactions/follower.ts';
import { transactionRoutes } from '../transactions/routes.ts';
import { openTransactions } from '../transactions/service.ts';
import { userRoutes } from '../users/routes.ts';
import { createOwnerCheck } from '../wallet/owner-check.ts';
import { openWallets } from '../wallet/service.ts';
import { watchlistRoutes } from '../watchlists/routes.ts';
import { createWatchlists } from '../watchlists/service.ts';
import type { Accounts } from './accounts.ts';
import type { Core, Routes } from './core.ts';

export type UserData = Awaited<ReturnType<typeof openUserData>>;

/** Opens what belongs to a user: wallet, settings, watchlists, presets, rules, strategies and transactions. */
export async function openUserData(
  deps: Core & Accounts & { market: Pick<Market, 'published' | 'liveRecord'>; current: CurrentState },
) {
  const { connection, bus, clock, limits, keys, audit, users, secondFactors, auth, adminActions, market } = deps;
  const wallets = await openWallets(connection, { keys, audit, clock });
  const ownerCheck = await createOwnerCheck({ connection, users, secondFactors, audit, limits });
  const settings = createSettings({ connection, wallets, ownerCheck, bus, clock });
  const watchlists = createWatchlists({ connection, bus, market, clock });
  const presets = await openPresets({ connection, bus, clock });
  const rules = await openRules({ connection, bus, clock });
  const strategies = await openStrategies({ connection, bus, clock });
  const { transactions, parts } = await openFollowedTransactions({ ...deps, wallets });
  const routes: Routes[] = [
    (router) => settingsRoutes(router, { settings }),
    (router) => watchlistRoutes(router, { watchlists, market, current: deps.current }),
    (router) => userRoutes(router, { users, auth, wallets, adminActions }),
    (router) => presetRoutes(router, { presets }),
    (router) => ruleRoutes(router, { rules }),
    (router) => strategyRoutes(router, { strategies, adminActions }),
    (router) => transactionRoutes(router, { transactions, adminActions }),
  ];
  return { wallets, ownerCheck, settings, watchlists, rules, strategies, transactions, routes, parts };
}

async function openFollowedTransactions(
  deps: Core & Pick<UserData, 'wallets'>,
): Promise<{ transactions: Awaited<ReturnType<typeof openTransactions>>; parts: Part[] }> {
  const { connection, chain, wallets, bus, clock, limits, random, log } = deps;
  const transactions = await openTransactions(connection, {
    chain,
    wallets,
    bus,
    clock,
    limit: limits.recordTransactionPerUser,
    onRecorded: () => follower?.wake(),
  });
  const follower = chain && createFollower({ chain, transactions, random, log });
  if (!follower) return { transactions, parts: [] };
  const part: Part = {
    name: 'transactions',
    stage: 'doors',
    start: () => follower.start(),
    stop: () => follower.stop(),
  };
  return { transactions, parts: [part] };
}
