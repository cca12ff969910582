/** Keeps one service process running: restarts it with backoff until the launcher stops it. */
import { setTimeout as delay } from 'node:timers/promises';

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** A process that ran longer than this restarts after the shortest delay. */
const HEALTHY_MS = 10_000;

/** A process of the service that is up. */
export interface Running {
  pid: number;
  /** Resolves when this launcher no longer has the process: it ended, or another launcher keeps it. */
  ended: Promise<void>;
  requestStop(): void;
}

/** The control of a supervised service. */
interface Supervisor {
  /** The process id, or null during a restart. */
  pid(): number | null;
  /** Stops the service cleanly, by force after the stop timeout. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Ends the process at once and for good. */
  kill(): void;
}

interface SupervisedService {
  /** Subject of the log lines, such as `The local chain`. */
  name: string;
  /** Starts the process, or connects to a running one. */
  attach: () => Promise<Running>;
  stopTimeoutMs: number;
  log: (line: string) => void;
}

/** Attaches to the service and restarts it after each unexpected end. Rejects when the first attempt fails. */
export async function supervise({ name, attach, stopTimeoutMs, log }: SupervisedService): Promise<Supervisor> {
  const stopping = new AbortController();
  let running: Running | null = null;
  let restarting: Promise<void> = Promise.resolve();
  let backoffMs = FIRST_BACKOFF_MS;

  const watch = (attached: Running): void => {
    running = attached;
    const startedAt = Date.now();
    void attached.ended.then(() => {
      running = null;
      if (stopping.signal.aborted) return;
      log(`${name} ended unexpectedly; restarting it.`);
      if (Date.now() - startedAt > HEALTHY_MS) backoffMs = FIRST_BACKOFF_MS;
      restarting = restart();
    });
  };

  const restart = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // A process that dies right after its start must not keep the machine busy. The abort ends the wait early.
      await delay(backoffMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      backoffMs = Math.min(2 * backoffMs, LONGEST_BACKOFF_MS);
      if (stopping.signal.aborted) return;
      try {
        const attached = await attach();
        watch(attached);
        log(`${name} is up again (pid ${attached.pid}).`);
        return;
      } catch (error) {
        // Retried as long as the launcher runs: the cause, such as a full disk, may pass.
        log(error instanceof Error ? error.message : String(error));
      }
    }
  };

  watch(await attach());
  return {
    pid: () => running?.pid ?? null,
    async stop() {
      stopping.abort();
      await restarting;
      if (!running) return;
      const { pid, ended, requestStop } = running;
      requestStop();
      const timer = setTimeout(killIfAlive, stopTimeoutMs, pid);
      await ended;
      clearTimeout(timer);
    },
    kill() {
      stopping.abort();
      if (running) killIfAlive(running.pid);
    },
  };
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
