import path from 'node:path';
import { docsRoutes, referenceRoutes } from '../docs/routes.ts';
import { healthRoutes } from '../health/routes.ts';
import type { Market } from '../market/market.ts';
import { productRoot } from '../platform/product.ts';
import type { Core, Routes } from './core.ts';

/** Returns the calls and pages that need no database. */
export function publicRoutes(deps: Core & { market: Pick<Market, 'status'> }): Routes[] {
  const guideRoot = deps.options.guideRoot ?? path.join(productRoot(), '.build/guide');
  return [
    (router) => healthRoutes(router, deps),
    (router) => docsRoutes(router, { guideRoot }),
    (router) => referenceRoutes(router, deps),
  ];
}
