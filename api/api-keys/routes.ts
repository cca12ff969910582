import type { RouterInstance } from '@koa/router';
import { apiKeyCalls } from '../../common/api-keys/http.ts';
import { PublicError } from '../../common/errors.ts';
import { LIVE_WORD } from '../../common/trading/account.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import { presentApiKey } from './present.ts';
import type { ApiKeys } from './service.ts';

export function apiKeyRoutes(router: RouterInstance, { apiKeys }: { apiKeys: ApiKeys }): void {
  register(router, apiKeyCalls.list, async (_input, { user }) =>
    (await apiKeys.list(user._id.toHexString())).map(presentApiKey),
  );

  register(router, apiKeyCalls.create, async ({ body }, { user, ctx, confirmReplacement }) => {
    if (body.scope === 'trade') {
      if (body.limits?.tradesLive && body.confirm !== LIVE_WORD) throw new PublicError('confirm-needed');
      await confirmReplacement();
    }
    const { key, secret } = await apiKeys.create(actorOf(user, ctx), body);
    return { key: presentApiKey(key), secret };
  });

  register(router, apiKeyCalls.end, async ({ params }, { user, ctx }) => {
    await apiKeys.end(actorOf(user, ctx), params.id);
    return { ok: true as const };
  });
}
