import type { RouterInstance } from '@koa/router';
import { type Health, healthCalls, type Readiness } from '../../common/health/http.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import { register } from '../http/route.ts';
import type { Market } from '../market/market.ts';
import type { DatabaseMonitor } from '../platform/database-monitor.ts';
import type { Lifecycle } from '../platform/lifecycle.ts';

export function healthRoutes(
  router: RouterInstance,
  deps: {
    database: Pick<DatabaseMonitor, 'isReachable'>;
    lifecycle: Pick<Lifecycle, 'isRunning'>;
    market: Pick<Market, 'status'>;
    feedLog: FeedLog;
    version: string;
  },
): void {
  const readiness = (): Readiness['status'] => {
    if (!deps.lifecycle.isRunning()) return 'not-running';
    return deps.database.isReachable() ? 'ready' : 'no-database';
  };
  register(router, healthCalls.live, () => ({ status: 'live' as const }));
  register(router, healthCalls.ready, (_input, { ctx }) => {
    const status = readiness();
    ctx.status = status === 'ready' ? 200 : 503;
    return { status };
  });
  register(router, healthCalls.health, (_input, { ctx }) => {
    const up = deps.database.isReachable();
    ctx.status = up ? 200 : 503;
    const health: Health = {
      status: up ? 'ok' : 'unavailable',
      version: deps.version,
      uptime: process.uptime(),
      mongo: up ? 'up' : 'down',
      market: deps.market.status(),
      feed: deps.feedLog.head(),
    };
    return health;
  });
}
