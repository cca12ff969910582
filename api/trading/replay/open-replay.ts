import path from 'node:path';
import type { RouterInstance } from '@koa/router';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { replayCalls } from '../../../common/replay/http.ts';
import type { Clock } from '../../../common/time.ts';
import { register } from '../../http/route.ts';
import type { Part } from '../../platform/lifecycle.ts';
import { orderModel } from '../orders/model.ts';
import { createUserReader, type UserReaderDeps } from '../plans/user-reader.ts';
import { positionModel } from '../positions/model.ts';
import type { Tape } from '../tape/tape.ts';
import { createJobs } from './jobs.ts';
import { type LiveHourDeps, readLiveHour } from './live-hour.ts';
import { createReplays, type Replays } from './service.ts';
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
  trading: {
    orderStore: { realTimes(): Promise<readonly number[]> };
    positions: Pick<LiveHourDeps, 'listOpen'>;
  };
  clock: Clock;
  log: Logger;
}

/** Opens the runs over recorded hours. */
export function openReplay(deps: OpenReplayDeps): { routes: ((router: RouterInstance) => void)[]; parts: Part[] } {
  const { connection, tape, trading, clock, log } = deps;
  const orders = orderModel(connection);
  const positions = positionModel(connection);
  const replays = createReplays({
    dir: tapeFolder(deps.dataDir),
    tape: { isRecording: () => tape !== null, flush: async () => tape?.flush() },
    jobOf: createJobs({
      readUser: createUserReader({ ...deps, countUnknown: async () => 0 }),
      samples: () => trading.orderStore.realTimes(),
    }),
    liveOf: (of) => readLiveHour({ orders, positions, listOpen: trading.positions.listOpen }, of),
    startThread,
    clock,
    log,
  });
  return {
    routes: [(router) => replayRoutes(router, { replays })],
    parts: [{ name: 'replays', stage: 'work', stop: () => replays.stop() }],
  };
}

function replayRoutes(router: RouterInstance, { replays }: { replays: Replays }): void {
  register(router, replayCalls.hours, () => replays.hours());

  register(router, replayCalls.start, ({ body: { hour, plan } }, { user }) =>
    replays.start(user._id.toHexString(), hour, plan),
  );

  register(router, replayCalls.read, ({ params }, { user }) => replays.read(user._id.toHexString(), params.id));

  register(router, replayCalls.cancel, ({ params }, { user }) => replays.cancel(user._id.toHexString(), params.id));
}
