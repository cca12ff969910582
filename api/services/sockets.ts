import { healthRoutes } from '../health/routes.ts';
import type { Core, Routes } from './core.ts';

/** Opens the only calls of a process for live updates alone: its health, which supervisors read. */
export function openSockets(base: Core) {
  const routes: Routes[] = [];
  const publicRoutes: Routes[] = [(router) => healthRoutes(router, { ...base, market: { status: () => [] } })];
  return { index: null, lists: null, marketFacts: null, routes, publicRoutes, metrics: null, forward: null, parts: [] };
}
