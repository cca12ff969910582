import type { RouterInstance } from '@koa/router';
import { configCalls } from '../../common/config/http.ts';
import type { ChainConfig } from '../../common/config/model.ts';
import { register } from '../server/register.ts';
import type { Telegram } from '../telegram/telegram.ts';

export function configRoutes(
  router: RouterInstance,
  { browserChain, telegram }: { browserChain: ChainConfig | null; telegram: Pick<Telegram, 'username'> },
): void {
  register(router, configCalls.get, () => ({ chain: browserChain, botUsername: telegram.username() }));
}
