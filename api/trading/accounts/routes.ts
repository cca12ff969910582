import type { RouterInstance } from '@koa/router';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { AdminActions } from '../../audit/admin-actions.ts';
import { actorOf } from '../../http/caller.ts';
import { register } from '../../http/route.ts';
import type { TradingAccounts } from './service.ts';

export function tradingAccountRoutes(
  router: RouterInstance,
  deps: {
    accounts: TradingAccounts;
    adminActions: AdminActions;
    /** Closes the paper positions from before a reset. */
    closePaperPositions(userId: string): Promise<void>;
  },
): void {
  const { accounts, adminActions } = deps;

  register(router, tradingCalls.account, async ({ query }, { user, ctx }) => {
    const userId = query.userId ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'trading account', 'trading-looked-up');
    return accounts.view(userId);
  });

  register(router, tradingCalls.changeAccount, ({ body }, { user, ctx, confirmReplacement }) =>
    accounts.change(user._id.toHexString(), body, { ...actorOf(user, ctx), confirmReplacement }),
  );

  register(router, tradingCalls.liftGuard, (_input, { user, ctx, confirmReplacement }) =>
    accounts.liftGuard(user._id.toHexString(), { ...actorOf(user, ctx), confirmReplacement }),
  );

  register(router, tradingCalls.resetPaper, async (_input, { user }) => {
    const userId = user._id.toHexString();
    const account = await accounts.resetPaper(userId);
    await deps.closePaperPositions(userId);
    return account;
  });
}
