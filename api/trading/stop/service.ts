import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import { type TradingAccount, type TradingMode, tradingModes } from '../../../common/trading/account.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import type { Actor, Audit } from '../../audit/service.ts';
import type { StoppedRecord } from '../accounts/model.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { OrderStore, Orders } from '../orders/store.ts';
import { type BlockedOrders, createStopReports, presentStop, type ReportDeps } from './reports.ts';

/**
 * `pausesExits`: whether exits wait for the end of the stop; default: no, or as an earlier stop has it. `modes`: whose positions are
 * sold; default: all, without real money by a bot that may not trade it.
 */
export interface StopOptions {
  sell: boolean;
  pausesExits?: boolean | undefined;
  by: StoppedRecord['by'];
  modes?: readonly TradingMode[];
}

interface BlockDeps {
  store: Pick<OrderStore, 'stoppable' | 'outIds'>;
  orders: Pick<Orders, 'stop'>;
  /** Has the worker read an order again. */
  wake(orderId: string): void;
}

export interface StopDeps extends ReportDeps {
  accounts: TradingAccounts;
  block: BlockDeps;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
}

export type TradingStop = ReturnType<typeof createTradingStop>;

/** Ends buying, and sells the open positions on request. User ids are hexadecimal. */
export function createTradingStop(deps: StopDeps) {
  const { store, accounts, audit, bus, clock, block, log } = deps;
  const reports = createStopReports(deps);

  function requireTrading(): void {
    if (accounts.server === 'off') throw new PublicError('trading-off');
  }

  /** Shows every user the change. It takes long with many users, and nothing waits for it. */
  function emitAll(): void {
    void accounts.emitAll().catch((error: unknown) => log.warn({ error }, 'accounts not emitted'));
  }

  return {
    /** Stops a user. Once it resolves nothing more is stored or sent again for a purchase; sales follow, and the report with them. */
    async stop(userId: string, options: StopOptions, actor: Actor): Promise<StopReport> {
      const { sell, pausesExits, by, modes: wanted = tradingModes } = options;
      requireTrading();
      const how = [sell ? 'with sale of all positions' : null, pausesExits ? 'with exits paused' : null];
      const object = how.filter((one) => one !== null).join(', ');
      await audit.record('trading-stopped', actor, userId, object === '' ? null : object);
      const { at: since } = await accounts.stop(userId, by, pausesExits);
      const blocked = await blockPurchases(userId, block);
      const { bot } = await accounts.read(userId);
      // Real money by the bot is off until it is switched on.
      const modes = wanted.filter((mode) => mode !== 'live' || by !== 'telegram' || bot.live);
      return presentStop(await reports.begin(userId, { by, since, sells: sell, modes }, blocked));
    },
    /** Allows a user to buy again. Throws `trading-stopped` while trading is stopped for all. */
    async resume(userId: string, actor: Actor): Promise<TradingAccount> {
      requireTrading();
      if (await accounts.stopAll.read()) throw new PublicError('trading-stopped');
      await audit.record('trading-resumed', actor, userId);
      return accounts.resume(userId);
    },
    /** Returns the report of the last stop; null without one. */
    async report(userId: string): Promise<StopReport | null> {
      const last = await store.last(userId);
      return last && presentStop(last);
    },
    /** Stops purchases of all users. Once it resolves nothing more is stored or sent again for a purchase. */
    async stopAll(actor: Actor): Promise<void> {
      requireTrading();
      await audit.record('trading-stopped-all', actor, null);
      const at = new Date(clock.now());
      const isNew = await accounts.stopAll.stop({ at, by: 'admin' });
      await blockPurchases(null, block);
      emitAll();
      if (isNew) bus.emit('all-trading-stopped', { at: at.getTime() });
    },
    /** Ends the stop of all users. */
    async resumeAll(actor: Actor): Promise<void> {
      requireTrading();
      await audit.record('trading-resumed-all', actor, null);
      await accounts.stopAll.resume();
      emitAll();
    },
    /** Continues reports that an earlier process left, and follows the orders of stops. */
    start: reports.start,
    stopFollowing: reports.stop,
  };
}

/**
 * Ends all signing for purchases of a user, or of all users (null), whose account takes no more holds by now (O6): unsent
 * purchases are cancelled, and sent ones make no further attempt. A purchase that is stored meanwhile gets no hold.
 */
async function blockPurchases(userId: string | null, deps: BlockDeps): Promise<BlockedOrders> {
  const found = await deps.store.stoppable(userId);
  const failure = reason(userId === null ? 'stopped-all' : 'stopped');
  const stopped = await Promise.all(found.map(({ _id }) => deps.orders.stop(_id.toHexString(), failure)));
  for (const order of stopped) if (order) deps.wake(order._id.toHexString());
  const cancelled = stopped.filter((order) => order?.status === 'cancelled').length;
  return { cancelled, out: await deps.store.outIds(userId) };
}
