import type { RouterInstance } from '@koa/router';
import { tradingCalls } from '../../../common/trading/http.ts';
import { actorOf } from '../../http/caller.ts';
import { register } from '../../http/route.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { TradingStop } from './service.ts';

export function stopRoutes(
  router: RouterInstance,
  { stop, accounts }: { stop: TradingStop; accounts: Pick<TradingAccounts, 'read'> },
): void {
  register(router, tradingCalls.stop, ({ body }, { user, ctx }) =>
    stop.stop(user._id.toHexString(), { ...body, by: 'user' }, actorOf(user, ctx)),
  );

  register(router, tradingCalls.stopReport, (_input, { user }) => stop.report(user._id.toHexString()));

  register(router, tradingCalls.resume, async (_input, { user, ctx, confirmReplacement }) => {
    const userId = user._id.toHexString();
    const { activeMode } = await accounts.read(userId);
    if (activeMode === 'live') await confirmReplacement();
    return stop.resume(userId, actorOf(user, ctx));
  });
}
