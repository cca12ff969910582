import type { RouterInstance } from '@koa/router';
import { diagnosticsCalls } from '../../common/diagnostics/http.ts';
import { register } from '../http/route.ts';
import type { Diagnostics } from './service.ts';

export function diagnosticsRoutes(router: RouterInstance, { diagnostics }: { diagnostics: Diagnostics }): void {
  register(router, diagnosticsCalls.detectionStats, () => diagnostics.stats());
}
