import type { RouterInstance } from '@koa/router';
import { calibrationCalls } from '../../common/calibration/http.ts';
import type { CalibrationMarket } from '../../common/calibration/model.ts';
import { marketOf } from '../../common/calibration/rules.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { register } from '../http/route.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenQueries } from '../tokens/service.ts';
import type { Calibration } from './service.ts';

export function calibrationRoutes(
  router: RouterInstance,
  deps: {
    calibration: Calibration;
    queries: Pick<TokenQueries, 'byAddress'>;
    /** Returns the market that the server follows. */
    currentMarket(): CalibrationMarket;
    clock: Clock;
  },
): void {
  const { calibration, queries, clock } = deps;
  register(router, calibrationCalls.token, async ({ params }) => {
    const record = await queries.byAddress(params.address);
    if (!record) throw new PublicError('token-not-found');
    const token = presentToken(record);
    const { scamProbability: score, runner } = token;
    const age = record.createdAt === null ? null : clock.now() - record.createdAt;
    return calibration.compare({ market: marketOf(token), age, score, runner });
  });

  register(router, calibrationCalls.report, ({ query }) => calibration.report(query.market ?? deps.currentMarket()));

  register(router, calibrationCalls.counts, ({ query }) => calibration.counts(query.market));
}
