import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { errors, PublicError } from '../../common/errors.ts';
import { type Run, type RunAction, removals } from '../../common/maintenance/model.ts';
import type { Clock } from '../../common/time.ts';
import type { Actor, Audit, KeyActor } from '../audit/service.ts';
import type { EventSink } from '../events/bus.ts';

/** Initiator of a run. Runs of the schedule are not recorded in the audit log. */
export type Starter = Actor | KeyActor | 'schedule';

/** Reports progress. `total` null: unknown. Without `message` the previous one stays. */
export type Progress = (done: number, total: number | null, message?: string) => void;

/** A long job. The signal is aborted when the server stops; a job that can end early should do so. */
type Work<Result extends { message: string }> = (progress: Progress, signal: AbortSignal) => Promise<Result>;

export type Runs = ReturnType<typeof createRuns>;

export interface RunsDeps {
  bus: EventSink;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
  log: Logger;
}

/** Least time between two progress events of a run, ms: jobs count by thousands. */
export const PROGRESS_GAP = 250;

/** Long jobs of administrators: one run of each action at a time, and only broadcasts run beside a removal of tokens. */
export function createRuns({ bus, audit, clock, log }: RunsDeps) {
  /** Runs by action; the last started is last. */
  const latest = new Map<RunAction, Run>();
  const running = new Map<RunAction, Promise<void>>();
  const stopping = new AbortController();
  const isoNow = () => new Date(clock.now()).toISOString();

  const isBlocked = (action: RunAction) =>
    running.has(action) || (action !== 'broadcast' && [...running.keys()].some((other) => removals.has(other)));

  /** Reserves `action`, records it in the audit log, then starts the job. */
  async function start<Result extends { message: string }>(
    action: RunAction,
    by: Starter,
    work: Work<Result>,
    object: string = action,
  ) {
    if (stopping.signal.aborted) throw new PublicError('unavailable', { text: 'The server is stopping.' });
    if (isBlocked(action)) throw new PublicError('already-running');
    let onEnd = () => {};
    running.set(action, new Promise<void>((resolve) => (onEnd = resolve)));
    const release = () => {
      running.delete(action);
      onEnd();
    };
    try {
      // A broadcast has its own audit action, so that it can be filtered.
      const recorded = action === 'broadcast' ? 'broadcast-sent' : 'maintenance-run';
      if (by !== 'schedule') await audit.record(recorded, by, null, object);
    } catch (error) {
      release();
      throw error;
    }
    latest.delete(action);
    const reporter = createReporter({ id: randomUUID(), action, by: nameOf(by), startedAt: isoNow() }, (run) => {
      latest.set(action, run);
      bus.emit('run-changed', run);
    });
    const started = reporter.start();
    return { started, result: finish(work, reporter).finally(release) };
  }

  async function finish<Result extends { message: string }>(work: Work<Result>, reporter: Reporter): Promise<Result> {
    try {
      const result = await work(reporter.progress, stopping.signal);
      reporter.end('done', result.message, isoNow());
      return result;
    } catch (error) {
      if (!(error instanceof PublicError)) log.error({ error, action: reporter.action }, 'maintenance run failed');
      reporter.end('failed', error instanceof PublicError ? error.message : errors.internal.text, isoNow());
      throw error;
    }
  }

  return {
    /**
     * Runs a job and resolves with its result, whose `message` becomes that of the run. Throws `already-running`; rejects with
     * the error of the job. `object`: the object in the audit log; default: the action.
     */
    async run<Result extends { message: string }>(action: RunAction, by: Starter, work: Work<Result>, object?: string) {
      return (await start(action, by, work, object)).result;
    },
    /** Starts a job and resolves once it is running; its result is in `run-changed` events and in `latest`. */
    async begin(action: RunAction, by: Starter, work: Work<{ message: string }>) {
      const { started, result } = await start(action, by, work);
      // The failure is in the run, and `finish` has logged it.
      result.catch(() => {});
      return started;
    },
    isRunning: (action: RunAction) => running.has(action),
    /** Returns the current or last run of each action since the start, newest first. */
    latest: () => [...latest.values()].reverse(),
    /** Refuses new runs and resolves when the current ones have ended. */
    async stop() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

function nameOf(by: Starter): string {
  if (by === 'schedule') return by;
  return by.user?.username ?? 'direct-admin-key';
}

type Reporter = ReturnType<typeof createReporter>;

/** Tracks the state of a run. Calls `onChange` at most once in `PROGRESS_GAP`, and always at the start and the end. */
function createReporter(fields: Pick<Run, 'id' | 'action' | 'by' | 'startedAt'>, onChange: (run: Run) => void) {
  let run: Run = { ...fields, state: 'running', endedAt: null, done: 0, total: null, message: '' };
  let timer: NodeJS.Timeout | undefined;
  let isPending = false;

  function report(): void {
    isPending = false;
    onChange(run);
    timer = setTimeout(() => {
      timer = undefined;
      if (isPending) report();
    }, PROGRESS_GAP);
    timer.unref();
  }

  return {
    action: fields.action,
    start() {
      report();
      return run;
    },
    progress(done: number, total: number | null, message: string = run.message): void {
      if (run.state !== 'running') return;
      run = { ...run, done, total, message };
      if (timer === undefined) report();
      else isPending = true;
    },
    end(state: 'done' | 'failed', message: string, at: string) {
      clearTimeout(timer);
      run = { ...run, state, message, endedAt: at };
      onChange(run);
    },
  };
}
