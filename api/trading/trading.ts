import type { RouterInstance } from '@koa/router';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock, Random } from '../../common/time.ts';
import type { ServerTrading, TradingMode } from '../../common/trading/account.ts';
import type { TradingStatus } from '../../common/trading/status.ts';
import type { ApiKeys } from '../api-keys/service.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Audit } from '../audit/service.ts';
import type { NetworkFacts } from '../chain/network-facts.ts';
import type { EventBus } from '../events/bus.ts';
import { createLimiter, createMemoryLimiter, type Limits } from '../http/limits/rate-limits.ts';
import type { TradedCoin } from '../market/traded/traded-coin.ts';
import { ensureIndexes } from '../platform/database.ts';
import type { Part } from '../platform/lifecycle.ts';
import type { Lease } from '../processes/lease.ts';
import type { Transactions } from '../transactions/service.ts';
import { tradingAccountModel } from './accounts/model.ts';
import { tradingAccountRoutes } from './accounts/routes.ts';
import { openTradingAccounts, type TradingAccounts } from './accounts/service.ts';
import type { Executor } from './executors/executor.ts';
import { createKeyTrading, type KeyTrading } from './key-trading.ts';
import { orderModel } from './orders/model.ts';
import { createPlacing, type PlaceDeps, type Placing } from './orders/place.ts';
import { orderRoutes } from './orders/routes.ts';
import { createOrderPins, createOrderStore, createOrders, type OrderStore, type Orders } from './orders/store.ts';
import { createOrderWorker } from './orders/worker/worker.ts';
import { createPlanCheck } from './plans/plan-check.ts';
import type { PositionBook } from './positions/fill-book.ts';
import { adminTradingRoutes } from './status/routes.ts';
import { createTradingStatus, type TradingStatusService } from './status/service.ts';
import { createStopStore, stopModel } from './stop/model.ts';
import { stopRoutes } from './stop/routes.ts';
import { createTradingStop, type TradingStop } from './stop/service.ts';

/**
 * Trading, in the order in which it happens:
 *
 * 1. A page, the bot, a plan (`plans/`), an exit or a stop asks for a trade. `orders/place` reads its facts, has it quoted, refuses it by
 *    a guard, or stores it under its key.
 * 2. `orders/worker`: the holder of the lease follows each open order by itself. `next-action` chooses its next step from its stored
 *    state and the time alone.
 * 3. `worker/steps` reserves its money: `accounts/store` asks `holdRefusal`, and stores the changed account.
 * 4. `worker/steps` quotes again, signs (`executors/`, `signer`), stores the bytes with the order, and sends them.
 * 5. `worker/steps` reads the verdict from the chain. Until there is one, it sends the same bytes again.
 * 6. `positions/apply-fill` stores the fill under the order's id, and applies it to positions.
 * 7. `worker/steps` ends the hold with the amount spent, and the order is closed.
 * 8. `positions/exits` judges each price of the open positions. An exit that fires is stored, and asks for a sale: again from 1.
 * 9. `stop/` stops the account, cancels or marks its purchases, and asks for the sales of the report: again from 1.
 * 10. Each stored change is emitted: to the user's tabs, to alerts, and to the core of plans, which then decides further purchases.
 *
 * The 12 files of a purchase from its route to the node: `orders/routes` → `orders/place` → `orders/guards` → `orders/store` →
 * `orders/worker/worker` → `next-action` → `steps` → `accounts/service` → `accounts/store` → `executors/pump-executor` → `signer` →
 * `executors/transaction-sender`. Pure functions that they call are in `orders/terms`, `orders/changes`, `pump/` and `common/trading/`.
 */

/** What positions get of the orders: both need one another. */
export interface OrderTools {
  accounts: TradingAccounts;
  placing: Placing;
  orderStore: Pick<OrderStore, 'find' | 'list' | 'awaitsPurchase'>;
  keyTrading: KeyTrading;
  executorOf(mode: TradingMode): Executor | null;
}

/** Positions, with the routes and parts that they bring. */
export interface OpenedPositions extends PositionBook {
  routes?: ((router: RouterInstance) => void)[];
  parts?: Part[];
}

export interface TradingDeps<Positions extends OpenedPositions = OpenedPositions> {
  connection: Connection;
  server: ServerTrading;
  executorOf(mode: TradingMode): Executor | null;
  /** Opens the positions, which sell by `placing`. */
  openPositions(tools: OrderTools): Promise<Positions>;
  network: Pick<NetworkFacts, 'slotMs'>;
  /** The right of this process to work on orders, and to decide for plans. */
  lease: Pick<Lease, 'isHeld'>;
  /** The users' list of transactions. */
  transactions: Pick<Transactions, 'recordTrades'>;
  apiKeys: Pick<ApiKeys, 'endStopped' | 'spend'>;
  wallets: PlaceDeps['wallets'];
  watchlists: PlaceDeps['watchlists'];
  market: PlaceDeps['market'];
  audit: Pick<Audit, 'record'>;
  adminActions: AdminActions;
  limits: Pick<Limits, 'quotePerUser' | 'orderPerUser'>;
  /** Whether real buying is refused, since the launchpad's program responded in an unknown way. */
  isLocked(): boolean;
  /** Tests that program again while real buying is refused for it. */
  testAgain(): Promise<void>;
  /** Returns the figures of rules and strategies; missing where nothing decides for them. */
  engineFigures?(): TradingStatus['engine'];
  /** Returns the state of the tape; missing where no hours are kept. */
  tapeFigures?: (() => Promise<TradingStatus['tape']>) | undefined;
  /** Returns false when no administrator watches. */
  isWatched(): boolean;
  bus: EventBus;
  clock: Clock;
  random: Random;
  log: Logger;
}

export interface Trading<Positions extends OpenedPositions = OpenedPositions> {
  accounts: TradingAccounts;
  orders: Orders;
  orderStore: OrderStore;
  placing: Placing;
  /** Returns a token as trades read it: also a removed one that is held, so that it can be sold. */
  coin(address: string): Promise<TradedCoin | null>;
  stop: TradingStop;
  status: TradingStatusService;
  positions: Positions;
  routes: ((router: RouterInstance) => void)[];
  parts: Part[];
}

/** Opens accounts, orders, the worker and the stop of this database, and creates their indexes. */
export async function openTrading<Positions extends OpenedPositions>(
  deps: TradingDeps<Positions>,
): Promise<Trading<Positions>> {
  const { connection, bus, clock, random, log, audit, server } = deps;
  const models = { orders: orderModel(connection), stops: stopModel(connection) };
  await ensureIndexes(models.orders);
  await ensureIndexes(models.stops);
  await ensureIndexes(tradingAccountModel(connection));
  const liveCluster = () => deps.executorOf('live')?.cluster ?? null;
  const store = createOrderStore(models.orders);
  const { countUnknown } = store;
  const accounts = openTradingAccounts({ ...{ connection, server, audit, bus, clock }, liveCluster, countUnknown });
  // The third order without a verdict locks buying, and no hold changes with it.
  bus.on('order-changed', async ({ userId, order }) => {
    if (order.status === 'unknown') await accounts.emitUnknown(userId);
  });
  const orders = createOrders({ store, pins: createOrderPins(deps.market), bus, clock });
  const coin: Trading['coin'] = async (address) => (await deps.market.coin(address)) ?? positions.heldCoin(address);
  const placing = createPlacing({
    ...deps,
    market: { coin, pin: deps.market.pin, unpin: deps.market.unpin },
    accounts,
    positions: {
      findOpen: (id) => positions.findOpen(id),
      initialTokens: (id, networkLamports) => positions.initialTokens(id, networkLamports),
    },
    orders,
    store,
    wake: (id, made) => worker.wake(id, made),
  });
  const stops = createStopStore(models.stops);
  const keyTrading = createKeyTrading({ apiKeys: deps.apiKeys, stopAll: accounts.stopAll, stops, orders: store });
  const tools: OrderTools = { accounts, placing, orderStore: store, keyTrading, executorOf: deps.executorOf };
  const positions = await deps.openPositions(tools);
  const worker = createOrderWorker({
    orders,
    openIds: store.openIds,
    accounts,
    executorOf: deps.executorOf,
    fills: positions,
    transactions: deps.transactions,
    wallets: deps.wallets,
    planRefusal: createPlanCheck(connection),
    network: deps.network,
    lease: deps.lease,
    clock,
    random,
    log,
  });
  const stop = createTradingStop({
    store: stops,
    accounts,
    block: { store, orders, wake: worker.wake },
    orders,
    placing,
    positions,
    audit,
    bus,
    clock,
    log,
  });
  const status = createTradingStatus({ ...deps, model: models.orders, accounts });
  const made = { accounts, placing, orders, store, keyTrading, wake: worker.wake, stop, status, positions };
  const routes = await routesOf(deps, made);
  const parts: Part[] = [
    ...(positions.parts ?? []),
    { name: 'orders', stage: 'doors', start: () => worker.start(), stop: () => worker.stop() },
    { name: 'stops', stage: 'work', start: () => stop.start(), stop: () => stop.stopFollowing() },
    { name: 'trading status', stage: 'work', start: () => status.start(), stop: () => status.stop() },
  ];
  return { accounts, orders, orderStore: store, placing, coin, stop, status, positions, routes, parts };
}

/** What the calls of trading use. */
interface RouteDeps extends Pick<Trading, 'accounts' | 'placing' | 'orders' | 'stop' | 'status' | 'positions'> {
  store: OrderStore;
  keyTrading: KeyTrading;
  wake(orderId: string): void;
}

async function routesOf(
  deps: Pick<TradingDeps, 'connection' | 'limits' | 'adminActions' | 'audit' | 'testAgain'>,
  { accounts, placing, orders, store, keyTrading, wake, stop, status, positions }: RouteDeps,
): Promise<Trading['routes']> {
  const { connection, adminActions, audit, testAgain } = deps;
  const limits = {
    quotes: createMemoryLimiter(deps.limits.quotePerUser),
    orders: await createLimiter(connection, 'order', deps.limits.orderPerUser),
  };
  return [
    (router) => tradingAccountRoutes(router, { accounts, adminActions, closePaperPositions: positions.closePaper }),
    (router) => orderRoutes(router, { placing, orders, store, wake, keyTrading, adminActions, limits }),
    (router) => stopRoutes(router, { stop, accounts }),
    (router) => adminTradingRoutes(router, { status, stop, audit, testAgain }),
    ...(positions.routes ?? []),
  ];
}
