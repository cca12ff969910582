import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import { type TradingAccount, type TradingMode, tradingModes } from '../../../common/trading/account.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import type { Actor, Audit } from '../../audit/service.ts';
import type { StoppedRecord } from '../accounts/model.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import { blockPurchases } from './block.ts';
import { presentStop } from './present.ts';
import { createStopReports, type ReportDeps } from './reports.ts';

/**
 * `pausesExits`: whether exits wait for the end of the stop; default: no, or as an earlier stop has it. `modes`: whose positions are
 * sold; default: all, without real money by a bot that may not trade it.
 */
interface StopOptions {
  sell: boolean;
  pausesExits?: boolean | undefined;
  by: StoppedRecord['by'];
  modes?: readonly TradingMode[];
}

/** Ends buying, and sells the open positions on request. User ids are hexadecimal. */
export interface TradingStop {
  /** Stops a user. Once it resolves nothing more is stored or sent again for a purchase; sales follow, and the report with them. */
  stop(userId: string, options: StopOptions, actor: Actor): Promise<StopReport>;
  /** Allows a user to buy again. Throws `trading-stopped` while trading is stopped for all. */
  resume(userId: string, actor: Actor): Promise<TradingAccount>;
  /** Returns the report of the last stop; null without one. */
  report(userId: string): Promise<StopReport | null>;
  /** Stops purchases of all users. Once it resolves nothing more is stored or sent again for a purchase. */
  stopAll(actor: Actor): Promise<void>;
  /** Ends the stop of all users. */
  resumeAll(actor: Actor): Promise<void>;
  /** Continues reports that an earlier process left, and follows the orders of stops. */
  start(): void;
  stopFollowing(): Promise<void>;
}

export interface StopDeps extends ReportDeps {
  accounts: TradingAccounts;
  block: Parameters<typeof blockPurchases>[1];
  audit: Pick<Audit, 'record'>;
  clock: Clock;
}

export function createTradingStop(deps: StopDeps): TradingStop {
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
    async stop(userId, { sell, pausesExits, by, modes: wanted = tradingModes }, actor) {
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
    async resume(userId, actor) {
      requireTrading();
      if (await accounts.stopAll.read()) throw new PublicError('trading-stopped');
      await audit.record('trading-resumed', actor, userId);
      return accounts.resume(userId);
    },
    async report(userId) {
      const last = await store.last(userId);
      return last && presentStop(last);
    },
    async stopAll(actor) {
      requireTrading();
      await audit.record('trading-stopped-all', actor, null);
      const at = new Date(clock.now());
      const isNew = await accounts.stopAll.stop({ at, by: 'admin' });
      await blockPurchases(null, block);
      emitAll();
      if (isNew) bus.emit('all-trading-stopped', { at: at.getTime() });
    },
    async resumeAll(actor) {
      requireTrading();
      await audit.record('trading-resumed-all', actor, null);
      await accounts.stopAll.resume();
      emitAll();
    },
    start: reports.start,
    stopFollowing: reports.stop,
  };
}
