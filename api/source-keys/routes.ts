import type { RouterInstance } from '@koa/router';
import { sourceCalls } from '../../common/sources/http.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { PriceApi } from './price-api.ts';

/** Registers the administrators' calls of the price data API. */
export function sourceRoutes(router: RouterInstance, { priceApi }: { priceApi: PriceApi }): void {
  register(router, sourceCalls.testSolanaTracker, (_input, { user, ctx }) => priceApi.test(actorOf(user, ctx)));

  register(router, sourceCalls.updateSolanaTrackerKey, ({ body }, { user, ctx }) =>
    priceApi.updateKey(body.apiKey, actorOf(user, ctx)),
  );
}
