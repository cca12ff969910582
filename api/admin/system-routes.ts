import type { RouterInstance } from '@koa/router';
import { adminCalls } from '../../common/admin/http.ts';
import { register } from '../http/route.ts';
import type { AdminStatistics } from './stats.ts';
import type { SystemMonitor } from './system-status.ts';

export interface SystemRouteDeps {
  adminStats: Pick<AdminStatistics, 'read'>;
  system: Pick<SystemMonitor, 'status' | 'history'>;
}

export function systemRoutes(router: RouterInstance, { adminStats, system }: SystemRouteDeps): void {
  register(router, adminCalls.stats, () => adminStats.read());
  register(router, adminCalls.systemStatus, async () => ({
    status: await system.status(),
    history: system.history(),
  }));
}
