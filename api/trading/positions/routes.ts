import type { RouterInstance } from '@koa/router';
import { PublicError } from '../../../common/errors.ts';
import { type Clock, DAY } from '../../../common/time.ts';
import { PROFIT_DAYS_MAX, tradingCalls } from '../../../common/trading/http.ts';
import type { AdminActions } from '../../audit/admin-actions.ts';
import { actorOf, requireOwnObject } from '../../http/caller.ts';
import { register } from '../../http/route.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { KeyTrading } from '../key-trading.ts';
import type { PositionService } from './service.ts';
import type { FillStore } from './store.ts';

export function positionRoutes(
  router: RouterInstance,
  deps: {
    service: PositionService;
    fills: Pick<FillStore, 'profitByDay'>;
    accounts: Pick<TradingAccounts, 'read'>;
    keyTrading: Pick<KeyTrading, 'requireTrade'>;
    adminActions: AdminActions;
    clock: Clock;
  },
): void {
  const { service, fills, accounts, keyTrading, adminActions, clock } = deps;

  register(router, tradingCalls.positions, async ({ query: { userId: asked, ...query } }, { user, ctx }) => {
    const userId = asked ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'positions', 'trading-looked-up');
    return service.list(userId, query);
  });

  register(router, tradingCalls.changeExits, async ({ params, body: { version, ...exits } }, { user, ctx }) => {
    const position = await service.find(params.id);
    if (!position) throw new PublicError('not-found');
    // Not even an administrator sets exits in another user's name.
    requireOwnObject(user, position.userId.toHexString());
    if (ctx.state.apiKey) await keyTrading.requireTrade(ctx.state.apiKey, position.mode);
    return service.changeExits(params.id, exits, version);
  });

  register(router, tradingCalls.profit, async ({ query }, { user, ctx }) => {
    const userId = query.userId ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'profit', 'trading-looked-up');
    const { activeMode } = await accounts.read(userId);
    if (activeMode === null) return [];
    return fills.profitByDay(userId, activeMode, firstDay(clock.now(), query.days ?? PROFIT_DAYS_MAX));
  });
}

/** Returns the start (UTC) of the first of `days` days that end today. */
function firstDay(now: number, days: number): Date {
  return new Date(now - (now % DAY) - (days - 1) * DAY);
}
