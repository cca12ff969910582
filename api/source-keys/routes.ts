import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { sourceCalls } from '../../common/sources/http.ts';
import type { Actor } from '../audit/service.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import type { UserRecord } from '../users/model.ts';
import type { PriceApi } from './price-api.ts';

/** Registers the administrators' calls of the price data API. */
export function sourceRoutes(router: RouterInstance, { priceApi }: { priceApi: PriceApi }): void {
  register(router, sourceCalls.testSolanaTracker, (_input, { user, ctx }) => priceApi.test(actor(user, ctx)));

  register(router, sourceCalls.updateSolanaTrackerKey, ({ body }, { user, ctx }) =>
    priceApi.updateKey(body.apiKey, actor(user, ctx)),
  );
}

function actor(user: UserRecord, ctx: Koa.Context): Actor {
  return { user, address: addressKey(ctx.ip) };
}
