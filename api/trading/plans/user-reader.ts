import { type Clock, SECOND } from '../../../common/time.ts';
import type { Exits, TradingMode } from '../../../common/trading/account.ts';
import { createRecentReads } from '../../platform/recent-reads.ts';
import { withTimeout } from '../../platform/resilience.ts';
import { limitedAccountOf } from '../accounts/money-hold.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { Executor } from '../executors/executor.ts';
import type { CoreAccount } from './core/model.ts';

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
  executorOf(mode: TradingMode): Pick<Executor, 'tradesPools' | 'walletLamports'> | null;
  countUnknown(userId: string, mode: TradingMode): Promise<number>;
  clock: Clock;
}

/** Age up to which the money of a wallet counts, ms, unless the account has changed. */
const MONEY_AGE_MS = 5 * SECOND;
/** A slow node delays no other change of a user for longer, ms; the money is unknown until it answers. */
const MONEY_WAIT_MS = SECOND;
/** Most wallets whose money is kept. */
const WALLETS_MAX = 1_000;

type Account = Awaited<ReturnType<TradingAccounts['read']>>;

/**
 * Creates the function that returns the SOL in a wallet, lamports; null on paper, without a mode, and while the node is away.
 * Each order changes the account's version, so the wallet is read again after it.
 */
function createWalletMoney({ executorOf, clock }: Pick<UserReaderDeps, 'executorOf' | 'clock'>) {
  const byMode = (mode: TradingMode) =>
    createRecentReads(
      async (key) => {
        const [wallet = ''] = key.split(' ');
        return (await executorOf(mode)?.walletLamports(wallet)) ?? null;
      },
      { maxAge: MONEY_AGE_MS, max: WALLETS_MAX, clock },
    );
  const reads = { paper: null, local: byMode('local'), live: byMode('live') };

  return async ({ activeMode, version }: Account, wallet: string): Promise<number | null> => {
    const read = activeMode && reads[activeMode];
    if (!read) return null;
    const known = await withTimeout(
      read.get(`${wallet} ${version}`).catch(() => null),
      MONEY_WAIT_MS,
    );
    return known?.value ?? null;
  };
}

/** Creates the function that reads a user of plans. */
export function createUserReader(deps: UserReaderDeps): (userId: string) => Promise<PlanUser> {
  const walletMoney = createWalletMoney(deps);
  return async (userId) => {
    const [account, user, wallet, lists] = await Promise.all([
      deps.accounts.read(userId),
      deps.users.findActive(userId),
      deps.wallets.current(userId),
      deps.watchlists.of(userId),
    ]);
    const mode = account.activeMode;
    const unknownOrders = mode === null ? 0 : await deps.countUnknown(userId, mode);
    const walletLamports = wallet && (await walletMoney(account, wallet.walletAddress));
    // Without a mode the core reads no money.
    const limited = limitedAccountOf(account, { mode: mode ?? 'paper', walletLamports }, unknownOrders);
    return {
      account: {
        ...limited,
        userId,
        mode,
        isUserActive: user !== null,
        wallet: wallet && { address: wallet.walletAddress, hasKey: wallet.hasKey },
        tradesPools: mode !== null && (deps.executorOf(mode)?.tradesPools ?? false),
      },
      defaultExits: account.defaults.exits,
      lists: { white: lists.white, black: lists.black },
    };
  };
}
