import type { RouterInstance } from '@koa/router';
import { launchCalls } from '../../common/launches/http.ts';
import { addressKey, type Limiter } from '../http/limits/rate-limits.ts';
import { register } from '../http/route.ts';
import type { createLaunches } from './launches.ts';

export function launchRoutes(
  router: RouterInstance,
  { launches, attempts }: { launches: ReturnType<typeof createLaunches>; attempts: Pick<Limiter, 'count'> },
): void {
  register(router, launchCalls.read, async (_input, { ctx }) => {
    await attempts.count(addressKey(ctx.ip));
    return launches.read();
  });
}
