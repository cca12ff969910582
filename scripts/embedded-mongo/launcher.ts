/** Starts the embedded MongoDB, restarts it when it dies, and stops it. */
import { setTimeout as delay } from 'node:timers/promises';
import { failureCode, StartError } from '../steps/start-error.mjs';
import { spawnService } from '../supervisor/service-process.ts';
import { supervise } from '../supervisor/supervise.ts';
import { claimAlone, connectControl, type Held, NOT_ELECTED, type ServerSettings } from './control.ts';
import { causeOfEnd, hasAborted, lackOfSpace } from './diagnosis.ts';
import { EmbeddedMongoError } from './errors.ts';
import { type Places, placesFor, uriOf } from './places.ts';

/** Recovery after a kill -9 of a large database takes seconds; the first index repair may take longer. */
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
/** Long enough for a checkpoint; after it the journal is as good a guarantee as a clean close. */
const STOP_TIMEOUT_MS = 4_000;
const DEFAULT_IDLE_MS = 10_000;
/** As mongod's ttlMonitorSleepSecs. */
const DEFAULT_SWEEP_MS = 60_000;

export interface EmbeddedMongoOptions {
  /** Receives one line when the server ends unexpectedly, and one when it is up again. Default: none. */
  log?: (line: string) => void;
  /** Receives why the engine gave up by itself, such as damaged data; `log` receives the same line. Default: nothing. */
  onDiagnosis?: ((line: string) => void) | undefined;
  /** The database of a client that names none. Default `mintwatch`. */
  database?: string;
  /** Time the server stays up without any connection, ms. Default 10,000. */
  idleMs?: number;
  /** Time between two sweeps of the TTL indexes, ms. Default 60,000. */
  sweepMs?: number;
  /**
   * Whether this process must be the only one of its kind on the directory: the start fails while another such process
   * holds the server. A process that only shares the database leaves it out. Default false.
   */
  alone?: boolean;
}

export interface EmbeddedMongo {
  /** Stays the same across restarts. */
  uri: string;
  /** The server's process id, or null during a restart. */
  pid(): number | null;
  /** Closes the server, or only this process's connection while another process shares it. Resolves when done. */
  stop(): Promise<void>;
  /** Ends the server at once and for good, even when it is shared. The journal keeps every acknowledged write. */
  kill(): void;
}

/**
 * Serves `directory` by an embedded MongoDB in a process of its own, or shares the server that already runs there, and
 * restarts it when it dies. Rejects with a one-line `StartError` when this system can't run it.
 */
export async function startEmbeddedMongo(
  directory: string,
  options: EmbeddedMongoOptions = {},
): Promise<EmbeddedMongo> {
  const { log = () => {}, onDiagnosis = () => {}, database = 'mintwatch', alone = false } = options;
  const { idleMs = DEFAULT_IDLE_MS, sweepMs = DEFAULT_SWEEP_MS } = options;
  const places = placesFor(directory);
  const settings = { directory: places.directory, idleMs, sweepMs };
  const diagnosed = (line: string) => {
    onDiagnosis(line);
    log(line);
  };
  const attach = async (): Promise<Held> => {
    const held = (await connectControl(places.controlSocket)) ?? (await launch(places, settings, diagnosed));
    return !alone || (await claimAlone(held, places.directory)) ? held : attach();
  };
  const supervisor = await supervise({ name: 'The embedded MongoDB', attach, stopTimeoutMs: STOP_TIMEOUT_MS, log });
  return { uri: uriOf(places, database), ...supervisor };
}

/** Spawns a server and waits until one accepts connections: this one, or another that was elected instead. */
async function launch(places: Places, settings: ServerSettings, diagnosed: (line: string) => void): Promise<Held> {
  const lack = lackOfSpace(places.directory);
  if (lack !== null) throw new EmbeddedMongoError(lack);
  const { child, lastLogLine } = spawnServer(places, settings);
  let failure: Error | null = null;
  child.on('error', (error) => {
    failure = error;
  });
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const held = await connectControl(places.controlSocket);
    if (held) {
      // Another server was elected. Ours still waits for the lock and must not take over when that one stops.
      if (held.pid !== child.pid) child.kill('SIGKILL');
      // It may open a damaged collection, and abort, with the first query only.
      child.once('exit', (code, signal) => {
        if (!hasAborted(code, signal)) return;
        diagnosed(new EmbeddedMongoError(causeOfEnd(places.directory, signal ?? code)).message);
      });
      return held;
    }
    // The elected server has ended since: try again.
    if (child.exitCode === NOT_ELECTED) {
      return (await connectControl(places.controlSocket)) ?? launch(places, settings, diagnosed);
    }
    const end = failure ?? child.exitCode ?? child.signalCode;
    if (end === null) continue;
    const reason = lastLogLine();
    if (reason.startsWith('The embedded MongoDB')) throw new StartError(reason);
    throw new EmbeddedMongoError(
      failure || reason ? `did not start: ${reason || end}` : causeOfEnd(places.directory, end),
    );
  }
  child.kill('SIGKILL');
  throw new EmbeddedMongoError(`did not respond within ${START_TIMEOUT_MS / 1000} s; see ${places.logFile}`);
}

function spawnServer({ logFile }: Places, settings: ServerSettings) {
  try {
    return spawnService({ launcherUrl: import.meta.url, settings, logFile, ipc: false });
  } catch (error) {
    throw new EmbeddedMongoError(`cannot write to ${logFile} (${failureCode(error)})`, { cause: error });
  }
}
