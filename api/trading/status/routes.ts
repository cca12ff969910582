import type { RouterInstance } from '@koa/router';
import { adminTradingCalls } from '../../../common/trading/http.ts';
import { actorOf } from '../../http/caller.ts';
import { register } from '../../http/route.ts';
import type { TradingStop } from '../stop/service.ts';
import type { TradingStatusService } from './service.ts';

export function adminTradingRoutes(
  router: RouterInstance,
  { status, stop }: { status: TradingStatusService; stop: Pick<TradingStop, 'stopAll' | 'resumeAll'> },
): void {
  register(router, adminTradingCalls.status, () => status.read());

  register(router, adminTradingCalls.stop, async (_input, { user, ctx }) => {
    await stop.stopAll(actorOf(user, ctx));
    status.clear();
    return status.read();
  });

  register(router, adminTradingCalls.resume, async (_input, { user, ctx }) => {
    await stop.resumeAll(actorOf(user, ctx));
    status.clear();
    return status.read();
  });
}
