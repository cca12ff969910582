import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { PublicError } from '../../../common/errors.ts';
import type { ReplayHours, ReplayPlan, ReplayResult, ReplayRun } from '../../../common/replay/model.ts';
import { type Clock, isoSpan, MINUTE, SECOND } from '../../../common/time.ts';
import { hourEnd } from '../tape/format.ts';
import { listHours } from '../tape/reader.ts';
import type { ReplayJob } from './run-job.ts';
import type { ReplayThread, startThread } from './start-thread.ts';

/** Runs at once: they share the processor with the live feed. */
const RUNNING_MAX = 2;
/** A run that is not read for this long has lost its page, ms. */
const ABANDONED_MS = 15 * SECOND;
/** Results are kept for this long after they were read last, ms. */
const KEPT_MS = 10 * MINUTE;
/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 10;

/** Runs of plans over recorded hours: at most one a user. User ids are hexadecimal. */
export interface Replays {
  hours(): Promise<ReplayHours>;
  /**
   * Starts a run, and cancels the user's run before. Throws `not-found` for an hour that is not recorded, and `too-many-requests`
   * while other users' runs take all places. Of a user's parallel starts one run goes on.
   */
  start(userId: string, hour: string, plan: ReplayPlan): Promise<ReplayRun>;
  /** Returns the user's last run. Throws `not-found` for any other. */
  read(userId: string, id: string): ReplayRun;
  /** Cancels the user's last run, if it is still running. */
  cancel(userId: string, id: string): ReplayRun;
  stop(): void;
}

export interface ReplaysDeps {
  dir: string;
  tape: { isRecording(): boolean; flush(): Promise<void> };
  jobOf(userId: string, hour: string, plan: ReplayPlan): Promise<Omit<ReplayJob, 'dir' | 'until'>>;
  /** Returns what a plan really did in an hour. Ids are hexadecimal; `planId`: null for a plan that is not stored. */
  liveOf(of: { userId: string; hour: string; planId: string | null }): Promise<ReplayResult['live']>;
  startThread: typeof startThread;
  clock: Clock;
  log: Logger;
}

interface Run {
  shown: ReplayRun;
  thread: ReplayThread | null;
  readAt: number;
}

/** The last run of each user. Runs that no page reads are ended, and forgotten later. */
function createRuns(clock: Clock) {
  const runs = new Map<string, Run>();
  const timer = setInterval(sweep, SECOND);
  timer.unref();

  function sweep(): void {
    const now = clock.now();
    for (const [userId, run] of runs) {
      const isRunning = run.shown.state === 'running';
      if (isRunning && now - run.readAt > ABANDONED_MS) end(run);
      else if (!isRunning && now - run.readAt > KEPT_MS) runs.delete(userId);
    }
  }

  return {
    /** Ends a user's run, and makes place for the next one. Throws `too-many-requests` while others take all places. */
    add(userId: string, hour: string): Run {
      // In the same turn as it is replaced: a run that is in no map would never be counted or ended.
      const before = runs.get(userId);
      if (before) end(before);
      const running = [...runs.values()].filter(({ shown }) => shown.state === 'running');
      if (running.length >= RUNNING_MAX) {
        const text = 'Others are running replays at the moment. Please try again shortly.';
        throw new PublicError('too-many-requests', { text, retryAfter: RETRY_AFTER });
      }
      const id = randomBytes(12).toString('hex');
      const shown = { id, hour, state: 'running', progress: 0, result: null } as const;
      const run: Run = { shown, thread: null, readAt: clock.now() };
      runs.set(userId, run);
      return run;
    },
    ofUser(userId: string, id: string): Run {
      const run = runs.get(userId);
      if (run?.shown.id !== id) throw new PublicError('not-found');
      run.readAt = clock.now();
      return run;
    },
    stop(): void {
      clearInterval(timer);
      for (const run of runs.values()) end(run);
    },
  };
}

function end(run: Run): void {
  if (run.shown.state !== 'running') return;
  run.shown = { ...run.shown, state: 'cancelled' };
  run.thread?.end();
  run.thread = null;
}

export function createReplays(deps: ReplaysDeps): Replays {
  const { dir, tape, clock, log } = deps;
  const runs = createRuns(clock);

  function follow(run: Run, thread: ReplayThread, live: ReplayResult['live']): void {
    run.thread = thread;
    thread.result.then(
      (result) => {
        if (run.shown.state === 'running') {
          run.shown = { ...run.shown, state: 'done', progress: 1, result: { ...result, live } };
        }
        run.thread = null;
        thread.end();
      },
      (error: unknown) => {
        if (run.shown.state !== 'running') return;
        log.warn({ error }, 'replay failed');
        run.shown = { ...run.shown, state: 'failed' };
        run.thread = null;
      },
    );
  }

  async function begin(run: Run, userId: string, plan: ReplayPlan): Promise<void> {
    const { hour } = run.shown;
    try {
      const until = clock.now();
      if (hourEnd(hour) > until) await tape.flush();
      const [job, live] = await Promise.all([
        deps.jobOf(userId, hour, plan),
        deps.liveOf({ userId, hour, planId: plan.id }),
      ]);
      // Another run has begun meanwhile.
      if (run.shown.state !== 'running') return;
      follow(
        run,
        deps.startThread({ ...job, dir, until }, (progress) => {
          if (run.shown.state === 'running') run.shown = { ...run.shown, progress };
        }),
        live,
      );
    } catch (error) {
      run.shown = { ...run.shown, state: 'failed' };
      throw error;
    }
  }

  return {
    async hours() {
      const hours = await listHours(dir, clock.now());
      return {
        isRecording: tape.isRecording(),
        hours: hours.toReversed().map(({ hour, from, to, gaps, changes, bytes }) => ({
          ...{ hour, changes, bytes, ...isoSpan({ from, to }) },
          gaps: gaps.map(isoSpan),
        })),
      };
    },
    async start(userId, hour, plan) {
      const hours = await listHours(dir, clock.now());
      if (!hours.some((known) => known.hour === hour)) throw new PublicError('not-found');
      const run = runs.add(userId, hour);
      await begin(run, userId, plan);
      return run.shown;
    },
    read: (userId, id) => runs.ofUser(userId, id).shown,
    cancel(userId, id) {
      const run = runs.ofUser(userId, id);
      end(run);
      return run.shown;
    },
    stop: runs.stop,
  };
}
