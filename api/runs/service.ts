import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { AuditAction } from '../../common/audit/model.ts';
import { errors, PublicError } from '../../common/errors.ts';
import type { Run, RunAction } from '../../common/maintenance/model.ts';
import type { Clock } from '../../common/time.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { Actor, Audit, KeyActor } from '../audit/service.ts';

/** Who starts a run. What the server starts by itself is not recorded. */
export type Starter = Actor | KeyActor | 'schedule';

/** `total` null: not known. Without a `message` the one before stays. */
export type Progress = (done: number, total: number | null, message?: string) => void;

/** What a long work does. The signal is aborted when the server stops: whoever can, ends early then. */
export type Work<Result extends { message: string }> = (progress: Progress, signal: AbortSignal) => Promise<Result>;

/** The long works that administrators start: one run of each at a time, and while tokens are removed nothing else that has to do with them. */
export interface Runs {
  /**
   * Resolves with the work's result; its `message` is how the run ended. `already-running`; rejects as the work does.
   * `object`: what the audit names besides the kind of work; left out: the action.
   */
  run<Result extends { message: string }>(
    action: RunAction,
    by: Starter,
    work: Work<Result>,
    object?: string,
  ): Promise<Result>;
  /** The same for a work that nobody waits for: resolves once it has begun. How it ends is told by events and by `latest`. */
  begin(action: RunAction, by: Starter, work: Work<{ message: string }>): Promise<Run>;
  isRunning(action: RunAction): boolean;
  /** The present or last run of each action since the start, newest first. */
  latest(): Run[];
  /** Lets nothing begin any more, and resolves when everything has ended. */
  stop(): Promise<void>;
}

export interface RunsDeps {
  publisher: Pick<Publisher, 'send'>;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
  log: Logger;
}

const REMOVING: ReadonlySet<RunAction> = new Set<RunAction>([
  'cleanup-mock-tokens',
  'cleanup-all-invalid-tokens',
  'cleanup-recent-tokens',
  'remove-all-tokens',
]);
/** Between two events about one run, ms: the eye follows no more, and works count by thousands. */
export const PROGRESS_GAP = 250;

export function createRuns({ publisher, audit, clock, log }: RunsDeps): Runs {
  /** By action, the last started last. */
  const latest = new Map<RunAction, Run>();
  const underWay = new Map<RunAction, Promise<void>>();
  const stopping = new AbortController();

  function isBlocked(action: RunAction): boolean {
    if (underWay.has(action)) return true;
    if (action === 'broadcast') return false;
    return [...underWay.keys()].some((other) => REMOVING.has(other));
  }

  /** Takes the place of `action` and gives the work on its way, once that is on record. */
  async function start<Result extends { message: string }>(
    action: RunAction,
    by: Starter,
    work: Work<Result>,
    object: string = action,
  ) {
    if (stopping.signal.aborted) throw new PublicError('unavailable', { text: 'The server is stopping.' });
    if (isBlocked(action)) throw new PublicError('already-running');
    let ended = () => {};
    underWay.set(action, new Promise<void>((resolve) => (ended = resolve)));
    const leave = () => {
      underWay.delete(action);
      ended();
    };
    try {
      if (by !== 'schedule') await audit.record(recordedAs(action), by, null, object);
    } catch (error) {
      leave();
      throw error;
    }
    const teller = createTeller(
      { id: randomUUID(), action, by: nameOf(by), startedAt: new Date(clock.now()).toISOString() },
      (run) => {
        latest.set(action, run);
        publisher.send('maintenance', 'admin', run);
      },
    );
    latest.delete(action);
    const begun = teller.begin();
    return { begun, result: finish(work, teller).finally(leave) };
  }

  async function finish<Result extends { message: string }>(work: Work<Result>, teller: Teller): Promise<Result> {
    const now = () => new Date(clock.now()).toISOString();
    try {
      const result = await work(teller.progress, stopping.signal);
      teller.end('done', result.message, now());
      return result;
    } catch (error) {
      if (!(error instanceof PublicError)) log.error({ error, action: teller.action }, 'a maintenance run failed');
      teller.end('failed', error instanceof PublicError ? error.message : errors.internal.text, now());
      throw error;
    }
  }

  return {
    async run(action, by, work, object) {
      return (await start(action, by, work, object)).result;
    },
    async begin(action, by, work) {
      const { begun, result } = await start(action, by, work);
      // The run itself says how it failed, and `finish` has logged what nobody foresaw.
      result.catch(() => {});
      return begun;
    },
    isRunning: (action) => underWay.has(action),
    latest: () => [...latest.values()].reverse(),
    async stop() {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** A broadcast has an entry of its own kind, so that people find it. */
function recordedAs(action: RunAction): AuditAction {
  return action === 'broadcast' ? 'broadcast-sent' : 'maintenance-run';
}

function nameOf(by: Starter): string {
  if (by === 'schedule') return by;
  return by.user?.username ?? 'direct-admin-key';
}

interface Teller {
  action: RunAction;
  begin(): Run;
  progress: Progress;
  end(state: 'done' | 'failed', message: string, at: string): void;
}

/** One run's state; `tell` hears of it at most once in `PROGRESS_GAP`, and always of the beginning and the end. */
function createTeller(start: Pick<Run, 'id' | 'action' | 'by' | 'startedAt'>, tell: (run: Run) => void): Teller {
  let run: Run = { ...start, state: 'running', endedAt: null, done: 0, total: null, message: '' };
  let timer: NodeJS.Timeout | undefined;
  let isUntold = false;

  function say(): void {
    isUntold = false;
    tell(run);
    timer = setTimeout(() => {
      timer = undefined;
      if (isUntold) say();
    }, PROGRESS_GAP);
    timer.unref();
  }

  return {
    action: start.action,
    begin() {
      say();
      return run;
    },
    progress(done, total, message = run.message) {
      if (run.state !== 'running') return;
      run = { ...run, done, total, message };
      if (timer === undefined) say();
      else isUntold = true;
    },
    end(state, message, at) {
      clearTimeout(timer);
      run = { ...run, state, message, endedAt: at };
      tell(run);
    },
  };
}
