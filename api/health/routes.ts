import type { RouterInstance } from '@koa/router';
import type { Connection } from 'mongoose';
import { type Health, healthCalls } from '../../common/health/http.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import { register } from '../http/route.ts';
import type { Market } from '../market/market.ts';
import { isResponsive } from '../platform/database.ts';

export function healthRoutes(
  router: RouterInstance,
  deps: { connection: Connection; market: Market; feedLog: FeedLog; version: string },
): void {
  register(router, healthCalls.health, async (_input, { ctx }) => {
    const up = await isResponsive(deps.connection);
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
