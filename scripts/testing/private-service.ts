import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
/** A restart takes longer on a busy machine. */
const LOOKS_MAX = 1_500;

/** A service of one test, which can stop, kill and restart it. */
export interface PrivateService {
  readonly directory: string;
  /** The service's process, or null while it is down. */
  pid(): number | null;
  /** Kills the process (kill -9) at once. Resolves when the launcher has restarted it, as in production. */
  kill(): Promise<void>;
  /** Stops the service cleanly, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the service and removes its data. Every test must call it at its end. */
  remove(): Promise<void>;
}

/** Starts a service by its launcher in a fresh temporary directory. `latest`: what the launcher returned last. */
export async function startPrivate<Launched extends { pid(): number | null; stop(): Promise<void> }>(
  launch: (directory: string) => Promise<Launched>,
): Promise<{ service: PrivateService; latest: () => Launched }> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-test-'));
  let latest = await launch(directory);
  let running: Launched | null = latest;
  const pid = (): number | null => running?.pid() ?? null;
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = null;
    await stopped?.stop();
  };
  const service: PrivateService = {
    directory,
    pid,
    async kill() {
      const killed = pid();
      if (killed === null) throw new Error('the service is not running');
      process.kill(killed, 'SIGKILL');
      for (let looks = 0; [null, killed].includes(pid()); looks += 1) {
        if (running === null || looks > LOOKS_MAX) throw new Error('the launcher did not restart the service');
        await pause(LOOK_MS);
      }
    },
    stop,
    async start() {
      if (running) return;
      latest = await launch(directory);
      running = latest;
    },
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return { service, latest: () => latest };
}
