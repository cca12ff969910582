import type { RouterInstance } from '@koa/router';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { register } from '../server/register.ts';
import type { Maintenance } from './service.ts';

export function maintenanceRoutes(router: RouterInstance, { maintenance }: { maintenance: Maintenance }): void {
  register(router, maintenanceCalls.cleanupMockTokens, (_input, { ctx }) => {
    ctx.state.takesLong = true;
    return maintenance.cleanupMockTokens();
  });
}
