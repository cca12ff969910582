import type { RouterInstance } from '@koa/router';
import { type Health, healthCalls } from '../../common/health/http.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import { register } from '../http/route.ts';
import type { Market } from '../market/market.ts';
import type { DatabaseMonitor } from '../platform/database-monitor.ts';

export function healthRoutes(
  router: RouterInstance,
  deps: { database: Pick<DatabaseMonitor, 'isReachable'>; market: Market; feedLog: FeedLog; version: string },
): void {
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
