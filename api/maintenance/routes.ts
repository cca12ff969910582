import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { DirectAdmin } from '../../common/maintenance/model.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import type { Starter } from '../runs/service.ts';
import type { UserRecord } from '../users/model.ts';
import type { Maintenance } from './service.ts';

export interface MaintenanceRouteDeps {
  maintenance: Maintenance;
  /** Null: direct access is off. */
  directAdminKey: string | null;
  /** What the direct admin page shows (decision 28). */
  scanners: () => DirectAdmin['scanners'];
}

export function maintenanceRoutes(
  router: RouterInstance,
  { maintenance, directAdminKey, scanners }: MaintenanceRouteDeps,
): void {
  register(router, maintenanceCalls.cleanupMockTokens, (_input, caller) =>
    maintenance.cleanupMockTokens(patient(caller)),
  );
  register(router, maintenanceCalls.cleanupInvalidTokens, (_input, caller) =>
    maintenance.cleanupInvalidTokens(patient(caller)),
  );
  register(router, maintenanceCalls.cleanupRecentTokens, ({ body: { hoursAgo } }, caller) =>
    maintenance.cleanupRecentTokens(patient(caller), hoursAgo),
  );
  register(router, maintenanceCalls.removeAllTokens, (_input, caller) => maintenance.removeAllTokens(patient(caller)));
  register(router, maintenanceCalls.analyzeRunnerTokens, (_input, caller) =>
    maintenance.analyzeRunnerTokens(patient(caller)),
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
  user: UserRecord | null;
}

function starter({ ctx, user }: MaintenanceCaller): Starter {
  return { user, address: addressKey(ctx.ip) };
}

/** Of a call that is answered only at the end of its work. */
function patient(caller: MaintenanceCaller): Starter {
  caller.ctx.state.takesLong = true;
  return starter(caller);
}
