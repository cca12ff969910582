import type { RouterInstance } from '@koa/router';
import { adminTradingCalls } from '../../../common/trading/http.ts';
import type { Audit } from '../../audit/service.ts';
import { actorOf } from '../../http/caller.ts';
import { register } from '../../http/route.ts';
import type { TradingStop } from '../stop/service.ts';
import type { TradingStatusService } from './service.ts';

export function adminTradingRoutes(
  router: RouterInstance,
  {
    status,
    stop,
    audit,
    testAgain,
  }: {
    status: TradingStatusService;
    stop: Pick<TradingStop, 'stopAll' | 'resumeAll'>;
    audit: Pick<Audit, 'record'>;
    testAgain(): Promise<void>;
  },
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

  register(router, adminTradingCalls.test, async (_input, { user, ctx }) => {
    await audit.record('launchpad-tested', actorOf(user, ctx), null);
    await testAgain();
    status.clear();
    return status.read();
  });
}
