import { healthRoutes } from '../health/routes.ts';
import type { Core, Routes } from './core.ts';

/** Opens what a process for live updates alone serves besides them: its health, for whatever restarts it. */
export function openSockets(base: Core) {
  const routes: Routes[] = [];
  const publicRoutes: Routes[] = [(router) => healthRoutes(router, { ...base, market: { status: () => [] } })];
  return { index: null, lists: null, marketFacts: null, routes, publicRoutes, metrics: null, forward: null, parts: [] };
}
