import { type Connection, Types } from 'mongoose';
import type { ServerTrading } from '../../../common/trading/account.ts';
import { createEventBus } from '../../events/bus.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { createLog } from '../../platform/log.ts';
import { tradingAccountModel, tradingStateModel } from '../accounts/model.ts';
import { createTradingAccounts, type TradingAccounts } from '../accounts/service.ts';
import { createAccountStore, createStopAll } from '../accounts/store.ts';
import type { Executor } from '../executors/executor.ts';
import { type OrderRecord, orderModel } from '../orders/model.ts';
import { createPlacing, type OrderRequest } from '../orders/place.ts';
import { createOrderStore, createOrders, type OrderStore } from '../orders/store.ts';
import { createOrderWorker, type OrderWorker, type WorkerDeps } from '../orders/worker/worker.ts';
import type { PositionBook } from '../positions/fill-book.ts';
import { createStopStore, stopModel } from '../stop/model.ts';
import { createTradingStop } from '../stop/service.ts';
import { coin, heldLease } from './coin.ts';
import { createMemoryPositions } from './memory-positions.ts';
import { createTestTime } from './time.ts';

/** Returns a coin that every guard allows. */
export const testCoin = (address: string): TradedCoin => coin({ address, name: 'Coin', symbol: 'COIN' });

type TestWallet = { walletAddress: string; hasKey: boolean };

/** Returns a part with something between it and its users. */
export type Around = <Part extends object>(name: string, part: Part) => Part;

export interface DeskOptions {
  connection: Connection;
  executor: Executor;
  server?: ServerTrading;
  /** Overrides the coins' figures. */
  coin?: Partial<TradedCoin>;
  wallets?: Map<string, TestWallet>;
  /** Default: positions in memory. */
  openBook?: (accounts: TradingAccounts, orders: OrderStore) => PositionBook;
  /** Put around every part that a worker awaits. */
  around?: Around;
}

/** Orders, accounts and the stop over a real database, with workers that the test starts. */
export async function createDesk(options: DeskOptions) {
  const { connection, server = 'local', wallets = new Map<string, TestWallet>() } = options;
  const { around = (_, part) => part, openBook = createMemoryPositions } = options;
  const executor = around('executor', options.executor);
  const models = { orders: orderModel(connection), stops: stopModel(connection) };
  await ensureIndexes(models.orders);
  await ensureIndexes(models.stops);
  const time = createTestTime();
  const clock = { now: time.now };
  const warnings: string[] = [];
  const log = createLog('warn', { write: (line) => void warnings.push(line) });
  const bus = createEventBus((error) => log.error({ error }, 'handler failed'));
  const audit = { record: async () => {} };
  const accountStore = around('accounts', createAccountStore(tradingAccountModel(connection)));
  const stopAll = around('stop for all', createStopAll(tradingStateModel(connection)));
  const store = around('orders', createOrderStore(models.orders));
  const accounts = createTradingAccounts({
    ...{ store: accountStore, stopAll, server, audit, bus, clock },
    liveCluster: () => executor.cluster,
    countUnknown: store.countUnknown,
  });
  const orders = createOrders({ store, pins: { set() {} }, bus, clock });
  const positions = openBook(accounts, store);
  const workers: OrderWorker[] = [];
  const executorOf = () => executor;
  const { current } = around('wallets', { current: async (userId: string) => wallets.get(userId) ?? null });
  const wake: OrderWorker['wake'] = (id, made) => {
    for (const worker of workers) worker.wake(id, made);
  };
  const placing = createPlacing({
    accounts,
    positions,
    orders,
    store,
    executorOf,
    wallets: { current },
    watchlists: { of: async () => ({ black: new Set<string>() }) },
    market: {
      coin: async (address) => (address === 'nowhere' ? null : { ...testCoin(address), ...options.coin }),
      pin() {},
      unpin() {},
    },
    wake,
    clock,
  });
  const block = { store, orders, wake };
  const stops = createStopStore(models.stops);
  const stop = createTradingStop({
    ...{ store: stops, accounts, block, orders, placing, positions, audit, bus, clock, log },
  });

  return {
    ...{
      models,
      time,
      clock,
      log,
      warnings,
      bus,
      accountStore,
      accounts,
      store,
      orders,
      positions,
      placing,
      stop,
      wallets,
    },
    /** Starts a worker. Whatever it needs can be replaced, to break it. */
    startWorker(replaced: Partial<WorkerDeps> = {}): OrderWorker {
      const worker = createOrderWorker({
        ...{ orders, accounts, executorOf, clock, log, lease: heldLease, random: Math.random },
        ...{
          openIds: store.openIds,
          fills: positions,
          wallets: { current },
          transactions: { recordTrades: async () => {} },
          planRefusal: async () => null,
          network: { slotMs: () => null },
        },
        ...replaced,
      });
      workers.push(worker);
      worker.start();
      return worker;
    },
    /** Places an order that must not be refused, and returns it. */
    async place(userId: string, request: OrderRequest): Promise<OrderRecord> {
      const placement = await placing.place(userId, request);
      if (placement.type !== 'placed') throw new Error(`not placed: ${JSON.stringify(placement)}`);
      return placement.order;
    },
    /** Returns a new user with a wallet. */
    newUser(walletAddress = new Types.ObjectId().toHexString()): string {
      const userId = new Types.ObjectId().toHexString();
      wallets.set(userId, { walletAddress, hasKey: true });
      return userId;
    },
    /** Ends all workers, and forgets them. */
    async stopWorkers(): Promise<void> {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
  };
}

export type Desk = Awaited<ReturnType<typeof createDesk>>;

/** Returns a request of the page to buy, with all warnings accepted. */
export function purchase(lamports: number, fields: Partial<OrderRequest> = {}): OrderRequest {
  return {
    key: `page:${new Types.ObjectId().toHexString()}`,
    cause: { kind: 'page', name: null },
    side: 'buy',
    address: 'coin',
    lamports,
    accept: null,
    ...fields,
  };
}

/** Returns a request to sell everything. */
export function sale(fields: Partial<OrderRequest> = {}): OrderRequest {
  const { lamports: _, ...request } = purchase(0);
  return { ...request, side: 'sell', sharePercent: 100, ...fields };
}
