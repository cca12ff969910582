import type { Connection } from 'mongoose';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import type {
  ServerTrading,
  TradingAccount,
  TradingAccountChange,
  TradingMode,
} from '../../../common/trading/account.ts';
import type { Settlement } from '../../../common/trading/limits/book.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { Actor, Audit } from '../../audit/service.ts';
import type { EventSink } from '../../events/bus.ts';
import { createJoinedReads } from '../../platform/joined-reads.ts';
import { accountChange } from './change.ts';
import { type StoppedRecord, type TradingAccountRecord, tradingAccountModel, tradingStateModel } from './model.ts';
import type { HoldRequest } from './money-hold.ts';
import { modeOf, presentTradingAccount, type Venue } from './present.ts';
import { type AccountStore, createAccountStore, createStopAll, type Lost, type StopAll } from './store.ts';

/** The acting user. `confirmReplacement` throws unless they have proved their identity within the last minutes. */
export type AccountActor = Actor & { confirmReplacement(): Promise<void> };

export interface AccountDeps {
  connection: Connection;
  server: ServerTrading;
  /** Returns the network of real money; null until its node was checked, and where there is none. Missing: there is none. */
  liveCluster?: () => ChainCluster | null;
  /** Returns the number of a user's orders without a verdict in time. */
  countUnknown(userId: string, mode: TradingMode): Promise<number>;
  audit: Pick<Audit, 'record'>;
  bus: EventSink;
  clock: Clock;
}

/** Opens the trading accounts of this database. */
export function openTradingAccounts({ connection, ...deps }: AccountDeps): TradingAccounts {
  const store = createAccountStore(tradingAccountModel(connection));
  return createTradingAccounts({ ...deps, store, stopAll: createStopAll(tradingStateModel(connection)) });
}

type ServiceDeps = Omit<AccountDeps, 'connection'> & {
  store: AccountStore;
  stopAll: StopAll;
};

/** Creates the functions that return and emit the account of a user as clients receive it. */
function createViews({ store, stopAll, countUnknown, bus, clock }: ServiceDeps, venue: () => Venue) {
  const records = createJoinedReads<TradingAccountRecord>();
  const events = createJoinedReads<TradingAccount>();

  const read = (userId: string) => records(userId, () => store.get(userId, clock.now()));

  async function view(userId: string): Promise<TradingAccount> {
    const [record, stoppedAll] = await Promise.all([read(userId), stopAll.read()]);
    const mode = modeOf(venue(), record);
    const unknownOrders = mode === null ? 0 : await countUnknown(userId, mode);
    return presentTradingAccount(record, { ...venue(), stoppedAll, unknownOrders, now: clock.now() });
  }

  async function emitNow(userId: string): Promise<TradingAccount> {
    const account = await view(userId);
    bus.emit('trading-account-changed', { userId, account });
    return account;
  }

  /**
   * Emits the stored account. Serialized per user, so that the last event carries the last state; calls that wait for the present
   * event share the next one.
   */
  const emit = (userId: string) => events(userId, () => emitNow(userId));

  return { read, view, emit };
}

/** Creates the functions that reserve the money of orders, and end that. `emit`: emits the account of a user. */
function createHolds({ store, stopAll, clock }: ServiceDeps, emit: (userId: string) => Promise<unknown>) {
  return {
    /** Reserves the money of a stored order (null), or returns why not. Repeating it changes nothing. `lost`: to be tried again later. */
    async hold(userId: string, request: HoldRequest): Promise<Reason | Lost | null> {
      // The order is stored by now. A stop for all is stored before it looks for orders, so that either it is seen here,
      // or the order is seen there.
      const [stopped, result] = await Promise.all([
        request.side === 'buy' ? stopAll.read() : null,
        store.hold(userId, request, clock.now()),
      ]);
      // A sale reserves nothing that could be shown.
      const isShown = result !== 'lost' && result.ok && result.account !== null && request.side === 'buy';
      if (isShown) void emit(userId).catch(() => undefined);
      if (stopped) return reason('stopped-all');
      if (result === 'lost') return result;
      return result.ok ? null : result.reason;
    },
    /**
     * Ends the hold of an order that is over, however often it is repeated, with what it moved. Resolves with whether it is ended; false:
     * to be tried again later.
     */
    async settle(
      userId: string,
      order: Pick<HoldRequest, 'orderId' | 'mode'>,
      settlement: Settlement,
    ): Promise<boolean> {
      const settled = await store.settle(userId, order, settlement, clock.now());
      if (settled === 'lost') return false;
      // Its order is closed meanwhile: another one may wait for that.
      if (settled) void emit(userId).catch(() => undefined);
      return true;
    },
  };
}

export type TradingAccounts = ReturnType<typeof createTradingAccounts>;

/** Trading accounts of users: mode, limits, and the money that orders reserve. Ids are hexadecimal. */
export function createTradingAccounts(deps: ServiceDeps) {
  const { store, stopAll, server, liveCluster = () => null, audit, clock } = deps;
  const venue = (): Venue => ({ server, liveCluster: liveCluster() });
  const { read, view, emit } = createViews(deps, venue);

  return {
    server,
    /** The stop of an administrator for all users. */
    stopAll,
    /** Returns the account as clients receive it. */
    view,
    /** Returns the stored account, with the mode of the next order (null while trading is off). */
    async read(userId: string): Promise<TradingAccountRecord & { activeMode: TradingMode | null }> {
      const record = await read(userId);
      return { ...record, activeMode: modeOf(venue(), record) };
    },
    /** Changes the given fields. Throws `trading-off` for a mode that the server does not offer, `confirm-needed` and `password-needed`. */
    async change(userId: string, change: TradingAccountChange, by: AccountActor): Promise<TradingAccount> {
      const before = await store.get(userId, clock.now());
      const { fields, actions, isRisky } = accountChange(change, before, venue(), clock.now());
      if (isRisky) await by.confirmReplacement();
      if (fields.length === 0) return view(userId);
      for (const { action, object } of actions) await audit.record(action, by, userId, object);
      await store.set(userId, Object.fromEntries(fields), clock.now());
      return emit(userId);
    },
    ...createHolds(deps, emit),
    pausedUserIds: store.pausedUserIds,
    /**
     * Blocks purchases of a user. Returns the stop in force, an earlier one if there is one. `pausesExits`: whether exits wait for the
     * end of the stop; default: no, or as the earlier one has it.
     */
    async stop(userId: string, by: StoppedRecord['by'], pausesExits?: boolean): Promise<StoppedRecord> {
      const stopped: StoppedRecord = { at: new Date(clock.now()), by, pausesExits: pausesExits ?? false };
      const began = await store.stop(userId, stopped, clock.now());
      const isSet = began === null && pausesExits !== undefined;
      const changed = began ?? (isSet ? await store.pauseExits(userId, pausesExits, clock.now()) : null);
      if (changed) await emit(userId);
      return changed?.stopped ?? (await store.get(userId, clock.now())).stopped ?? stopped;
    },
    /** Allows purchases again. */
    async resume(userId: string): Promise<TradingAccount> {
      const changed = await store.stop(userId, null, clock.now());
      return changed ? emit(userId) : view(userId);
    },
    /** Ends the lock of the stop-loss guard in the present mode. Throws `trading-off` and, with real money, `password-needed`. */
    async liftGuard(userId: string, by: AccountActor): Promise<TradingAccount> {
      const account = await view(userId);
      if (account.mode === null) throw new PublicError('trading-off');
      const isLifted = await liftGuard(account, account.mode, { ...deps, userId, by });
      return isLifted ? emit(userId) : account;
    },
    /**
     * Sets play money to its start. Throws `already-running` while a paper order is not over. The paper positions are closed after it,
     * and at the next start if that was interrupted.
     */
    async resetPaper(userId: string): Promise<TradingAccount> {
      const reset = await store.resetPaper(userId, clock.now());
      if (!reset) throw new PublicError('already-running', { text: 'A paper order is not over yet.' });
      return emit(userId);
    },
    finishReset: (userId: string) => store.finishReset(userId, clock.now()),
    resettingUserIds: store.resettingUserIds,
    /** Emits the account of a user as a new version, after a change of its orders without a verdict. */
    async emitUnknown(userId: string): Promise<void> {
      // Clients keep what has the higher version.
      await store.set(userId, {}, clock.now());
      await emit(userId);
    },
    /** Emits the account of every user, after a change that concerns all of them. */
    async emitAll(): Promise<void> {
      for await (const userId of store.userIds()) await emit(userId);
    },
    /** Frees the place of a position that was closed without an order. */
    async closePosition(userId: string, mode: TradingMode, positionId: string): Promise<void> {
      if (await store.closePosition(userId, mode, positionId, clock.now())) await emit(userId);
    },
  };
}

/** Ends the lock of the stop-loss guard. Resolves with whether there was one. */
async function liftGuard(
  { locks }: Pick<TradingAccount, 'locks'>,
  mode: TradingMode,
  deps: Pick<AccountDeps, 'audit' | 'clock'> & { store: AccountStore; userId: string; by: AccountActor },
): Promise<boolean> {
  const { store, audit, clock, userId, by } = deps;
  if (!locks.some(({ kind }) => kind === 'stop-loss-guard')) return false;
  // A stolen session could otherwise have plans spend more of the owner's money.
  if (mode === 'live') await by.confirmReplacement();
  await audit.record('stop-loss-guard-lifted', by, userId, mode);
  await store.set(userId, { [`books.${mode}.stopLossesAt`]: [] }, clock.now());
  return true;
}
