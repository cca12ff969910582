import path from 'node:path';
import type { RouterInstance } from '@koa/router';
import { type Connection, type Model, Types } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../../../common/time.ts';
import type { Part } from '../../platform/lifecycle.ts';
import { ruleModel } from '../../rules/model.ts';
import { strategyModel } from '../../strategies/model.ts';
import type { UserDocument } from '../../users/user-documents.ts';
import { createUserReader, type UserReaderDeps } from '../engine/inputs/user-reader.ts';
import { orderModel } from '../orders/model.ts';
import { positionFillModel, positionModel } from '../positions/model.ts';
import type { Tape } from '../tape/tape.ts';
import { createJobs } from './jobs.ts';
import { replayRoutes } from './routes.ts';
import { createReplays } from './service.ts';
import { startThread } from './start-thread.ts';

/** Returns the folder of the tape. */
export function tapeFolder(dataDir: string): string {
  return path.join(dataDir, 'tape');
}

export interface OpenReplayDeps extends Omit<UserReaderDeps, 'countUnknown'> {
  connection: Connection;
  dataDir: string;
  /** Null while nothing is recorded. */
  tape: Tape | null;
  trading: { orderFills: { realTimes(): Promise<readonly number[]> } };
  clock: Clock;
  log: Logger;
}

/** Opens the runs over recorded hours. */
export function openReplay(deps: OpenReplayDeps): { routes: ((router: RouterInstance) => void)[]; parts: Part[] } {
  const { connection, tape, clock, log } = deps;
  const models: Model<UserDocument>[] = [ruleModel(connection), strategyModel(connection)];
  const replays = createReplays({
    dir: tapeFolder(deps.dataDir),
    tape: { isRecording: () => tape !== null, flush: async () => tape?.flush() },
    jobOf: createJobs({
      models: {
        orders: orderModel(connection),
        positions: positionModel(connection),
        fills: positionFillModel(connection),
      },
      readUser: createUserReader({ ...deps, countUnknown: async () => 0 }),
      resetAt: async (userId) => (await deps.accounts.read(userId)).paper.resetAt.getTime(),
      async planIds(userId) {
        // Index: userId, place.
        const own = { userId: new Types.ObjectId(userId) };
        const found = await Promise.all(models.map((model) => model.distinct('_id', own)));
        return found.flat().map((id) => id.toHexString());
      },
      samples: () => deps.trading.orderFills.realTimes(),
    }),
    startThread,
    clock,
    log,
  });
  return {
    routes: [(router) => replayRoutes(router, { replays })],
    parts: [{ name: 'replays', stage: 'work', stop: () => replays.stop() }],
  };
}
