import type { RouterInstance } from '@koa/router';
import { configCalls } from '../../common/config/http.ts';
import type { ChainConfig } from '../../common/config/model.ts';
import { register } from '../server/register.ts';

export function configRoutes(
  router: RouterInstance,
  { browserChain, botUsername }: { browserChain: ChainConfig | null; botUsername: string | null },
): void {
  register(router, configCalls.get, () => ({ chain: browserChain, botUsername }));
}
