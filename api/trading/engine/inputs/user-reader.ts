import type { Exits, TradingMode } from '../../../../common/trading/account.ts';
import { exitsFrom } from '../../../../common/trading/exits.ts';
import { limitedAccountOf } from '../../accounts/money-hold.ts';
import type { TradingAccounts } from '../../accounts/service.ts';
import type { CoreAccount } from '../../core/model.ts';
import type { Executor } from '../../executors/executor.ts';

/** A user of plans, as the database has it now. */
export interface PlanUser {
  account: CoreAccount;
  defaultExits: Exits;
  lists: { white: ReadonlySet<string>; black: ReadonlySet<string> };
}

export interface UserReaderDeps {
  accounts: Pick<TradingAccounts, 'read'>;
  users: { findActive(userId: string): Promise<object | null> };
  wallets: { current(userId: string): Promise<{ walletAddress: string; hasKey: boolean } | null> };
  watchlists: { of(userId: string): Promise<PlanUser['lists']> };
  executorOf(mode: TradingMode): Pick<Executor, 'tradesPools'> | null;
  countUnknown(userId: string, mode: TradingMode): Promise<number>;
}

/** Creates the function that reads a user of plans. */
export function createUserReader(deps: UserReaderDeps): (userId: string) => Promise<PlanUser> {
  return async (userId) => {
    const [account, user, wallet, lists] = await Promise.all([
      deps.accounts.read(userId),
      deps.users.findActive(userId),
      deps.wallets.current(userId),
      deps.watchlists.of(userId),
    ]);
    const mode = account.activeMode;
    const unknownOrders = mode === null ? 0 : await deps.countUnknown(userId, mode);
    // Without a mode the core reads no money.
    const limited = limitedAccountOf(account, { mode: mode ?? 'paper' }, unknownOrders);
    return {
      account: {
        ...limited,
        userId,
        mode,
        isUserActive: user !== null,
        areExitsPaused: account.stopped?.pausesExits ?? false,
        wallet: wallet && { address: wallet.walletAddress, hasKey: wallet.hasKey },
        tradesPools: mode !== null && (deps.executorOf(mode)?.tradesPools ?? false),
      },
      defaultExits: exitsFrom(account.defaults.exits),
      lists: { white: lists.white, black: lists.black },
    };
  };
}
