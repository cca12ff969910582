import type { RouterInstance } from '@koa/router';
import { configCalls } from '../../common/client-config/http.ts';
import type { ChainConfig } from '../../common/client-config/model.ts';
import { register } from '../http/route.ts';
import type { Telegram } from '../telegram/telegram.ts';

export function configRoutes(
  router: RouterInstance,
  { browserChain, telegram }: { browserChain: ChainConfig | null; telegram: Pick<Telegram, 'username'> },
): void {
  register(router, configCalls.get, () => ({ chain: browserChain, botUsername: telegram.username() }));
}
