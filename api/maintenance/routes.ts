import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { DirectAdmin } from '../../common/maintenance/model.ts';
import type { RequestUser } from '../http/caller.ts';
import { addressKey } from '../http/limits/rate-limits.ts';
import { register } from '../http/route.ts';
import type { Starter } from '../runs/service.ts';
import type { Maintenance } from './service.ts';

/** Registers the maintenance calls. */
export function maintenanceRoutes(
  router: RouterInstance,
  deps: {
    maintenance: Maintenance;
    /** Null when direct access is off. */
    directAdminKey: string | null;
    /** Returns the scanners of the direct admin page (decision 28). */
    scanners: () => DirectAdmin['scanners'];
  },
): void {
  const { maintenance, directAdminKey, scanners } = deps;
  register(router, maintenanceCalls.cleanupMockTokens, (_input, caller) =>
    maintenance.cleanupMockTokens(longRunning(caller)),
  );
  register(router, maintenanceCalls.cleanupInvalidTokens, (_input, caller) =>
    maintenance.cleanupInvalidTokens(longRunning(caller)),
  );
  register(router, maintenanceCalls.cleanupRecentTokens, ({ body: { hoursAgo } }, caller) =>
    maintenance.cleanupRecentTokens(longRunning(caller), hoursAgo),
  );
  register(router, maintenanceCalls.removeAllTokens, (_input, caller) =>
    maintenance.removeAllTokens(longRunning(caller)),
  );
  register(router, maintenanceCalls.analyzeRunnerTokens, (_input, caller) =>
    maintenance.analyzeRunnerTokens(longRunning(caller)),
  );
  register(router, maintenanceCalls.forceAggregatorScan, (_input, caller) =>
    maintenance.forceAggregatorScan(starter(caller)),
  );
  register(router, maintenanceCalls.runMultiSourceAggregator, (_input, caller) =>
    maintenance.runMultiSourceAggregator(starter(caller)),
  );
  register(router, maintenanceCalls.runs, () => maintenance.runs());
  register(router, maintenanceCalls.directAdmin, () => ({ enabled: directAdminKey !== null, scanners: scanners() }));
}

interface MaintenanceCaller {
  ctx: Koa.Context;
  user: RequestUser | null;
}

function starter({ ctx, user }: MaintenanceCaller): Starter {
  return { user, address: addressKey(ctx.ip) };
}

/** Marks a call that responds at the end of its job: a slow database must not end it with 503. */
function longRunning(caller: MaintenanceCaller): Starter {
  caller.ctx.state.isLongRunning = true;
  return starter(caller);
}
