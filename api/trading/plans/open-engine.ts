import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, DAY, HOUR, SECOND } from '../../../common/time.ts';
import type { EventSource } from '../../events/bus.ts';
import type { Following } from '../../market/traded/follow.ts';
import { tokenModels } from '../../tokens/model.ts';
import type { SampleRecord } from '../../tokens/record.ts';
import type { TokenMarket } from '../../tokens/service.ts';
import { readStoredPoints } from '../../tokens/stored-points.ts';
import type { Trading } from '../trading.ts';
import { createPlanEngine, type PlanEngine, type PlanEngineDeps } from './engine.ts';
import { createMarks } from './marks.ts';
import { createPlanSource } from './plan-source.ts';
import { createUserReader, type UserReaderDeps } from './user-reader.ts';

/** Spans of the stored points of minutes and hours from which figures are rebuilt after a restart, ms: as long as they are stored. */
const MINUTES_SPAN = 8 * HOUR;
const HOURS_SPAN = 30 * DAY;
const QUERY_TIMEOUT = 10 * SECOND;
/** Keys of orders of a plan that are loaded; beyond, their unique index keeps a plan from a second order. */
const KEYS_MAX = 20_000;

export interface OpenEngineDeps
  extends Pick<UserReaderDeps, 'users' | 'wallets' | 'watchlists' | 'executorOf'>,
    Pick<PlanEngineDeps, 'database' | 'decisions' | 'tape' | 'network' | 'lease'> {
  connection: Connection;
  trading: Pick<Trading, 'accounts' | 'orderStore' | 'placing'>;
  market: Following & Pick<TokenMarket, 'unstored'>;
  bus: EventSource;
  clock: Clock;
  log: Logger;
}

/** Opens the engine of rules and strategies over this database. */
export function openPlanEngine(deps: OpenEngineDeps): PlanEngine {
  const { connection, trading, market, clock } = deps;
  const { accounts, orderStore } = trading;
  const samples = connection.collection<SampleRecord>(tokenModels(connection).samples.collection.name);
  return createPlanEngine({
    ...deps,
    placing: trading.placing,
    source: createPlanSource(connection),
    read: createUserReader({ ...deps, accounts, countUnknown: orderStore.countUnknown }),
    orderKeys: (userId, planId) => orderStore.keysFrom(userId, `buy:${planId}:`, KEYS_MAX),
    orderOf: orderStore.findByKey,
    pastFigures: (addresses) =>
      readStoredPoints(samples, {
        ...{ addresses, busy: addresses, now: clock.now() },
        // All points of the last minutes, stored or waiting: one between two others may be the extreme of a window.
        ...{ span: MINUTES_SPAN, hourSpan: HOURS_SPAN, fullStep: 0, timeout: QUERY_TIMEOUT },
        unstored: (address) => market.unstored(address).samples,
      }),
    isStoppedForAll: async () => (await accounts.stopAll.read()) !== null,
    marks: createMarks(connection),
  });
}
