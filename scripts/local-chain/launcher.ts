/** Starts the local chain, restarts it when it dies, and stops it. */
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { failureCode, StartError } from '../steps/start-error.mjs';
import { type ServiceProcess, spawnService } from '../supervisor/service-process.ts';
import { type Running, supervise } from '../supervisor/supervise.ts';
import { LocalChainError } from './errors.ts';

/** Reading a long history takes a second or two, and more on a busy machine. */
const START_TIMEOUT_MS = 30_000;
/** Long enough to write the state; after it the journal is as good. */
const STOP_TIMEOUT_MS = 2_000;

export interface LocalChainOptions {
  /** Receives one line when the chain ends unexpectedly, and one when it is up again. Default: none. */
  log?: (line: string) => void;
  /** Port on 127.0.0.1; any other one when it is taken. Default 0: any. */
  port?: number;
  /** Length of a slot, ms. Default 200. */
  slotMs?: number;
  /** Number of transactions in the history. Default 20,000. */
  historyLimit?: number;
  /** Number of transactions in one file of the journal. Default 2,000. */
  linesPerFile?: number;
  /**
   * Limit of all accounts together, bytes: each is in memory several times, and the state is one text. A cluster has such a limit as
   * well. Default 64 MiB.
   */
  accountBytes?: number;
  /** Airdrops per minute. Default 10 for each recipient, 100 in total. */
  faucetLimits?: { perRecipient: number; total: number };
  /** Whether clients may inject faults (rpc/faults.ts): for tests only. Default false. */
  testing?: boolean;
}

/** Settings of the chain's process, in JSON in its first argument. */
export type ServerSettings = Required<Omit<LocalChainOptions, 'log'>> & {
  directory: string;
  /** Whether only `port` will do: clients of a restarted chain know it. */
  exactPort: boolean;
};

/** The first message of the chain's process. */
export type ServerMessage =
  | { port: number; launchpadKey: string }
  | { failure: string; isStartError: boolean; code?: string | undefined };

export interface LocalChain {
  /** JSON-RPC; stays the same across restarts. */
  rpcUrl: string;
  /** PubSub, on the same port. */
  wsUrl: string;
  port: number;
  /** Secret key of the account that may list coins (program/README.md), base58. Never to be logged. */
  launchpadKey: string;
  /** The chain's process id, or null during a restart. */
  pid(): number | null;
  /** Closes the chain. Resolves when its process has ended. */
  stop(): Promise<void>;
  /** Ends the chain at once and for good. Every acknowledged transaction is on disk. */
  kill(): void;
}

const defaults = {
  port: 0,
  slotMs: 200,
  historyLimit: 20_000,
  linesPerFile: 2_000,
  accountBytes: 64 * 1024 * 1024,
  faucetLimits: { perRecipient: 10, total: 100 },
  testing: false,
};

/**
 * Runs the chain of `directory` in a process of its own and restarts it when it dies. Rejects with a one-line
 * `StartError` when this system can't run it; its `code` is `unsupported` where the VM has no build.
 */
export async function startLocalChain(directory: string, options: LocalChainOptions = {}): Promise<LocalChain> {
  const { log = () => {}, ...given } = options;
  const settings = { ...defaults, ...given, directory: createDirectory(directory), exactPort: false };
  let launchpadKey = '';
  const attach = async (): Promise<Running> => {
    const { port, launchpadKey: key, ...running } = await launch(settings);
    settings.port = port;
    settings.exactPort = true;
    launchpadKey = key;
    return running;
  };
  const supervisor = await supervise({ name: 'The local chain', attach, stopTimeoutMs: STOP_TIMEOUT_MS, log });
  const { port } = settings;
  return { rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}`, port, launchpadKey, ...supervisor };
}

function createDirectory(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return realpathSync(directory);
  } catch (error) {
    throw new LocalChainError(`cannot write to ${directory} (${failureCode(error)})`, { cause: error });
  }
}

/** Spawns the chain's process. Resolves when it serves. */
async function launch(settings: ServerSettings): Promise<Running & { port: number; launchpadKey: string }> {
  const logFile = path.join(settings.directory, 'local-chain.log');
  const service = spawnServer(settings, logFile);
  const { child } = service;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const message = await firstMessage(service).finally(() => clearTimeout(deadline));
  if ('port' in message && child.pid !== undefined) {
    const requestStop = (): void => {
      child.ref();
      if (child.connected) child.send('stop', () => {}); // fails when the process is already ending
    };
    const { port, launchpadKey } = message;
    return { port, launchpadKey, pid: child.pid, ended, requestStop };
  }
  const { failure, isStartError, code } =
    'failure' in message ? message : { failure: 'no process', isStartError: false };
  if (isStartError) throw Object.assign(new StartError(failure), { code });
  throw new LocalChainError(`did not start: ${failure}; see ${logFile}`);
}

function spawnServer(settings: ServerSettings, logFile: string): ServiceProcess {
  try {
    return spawnService({ launcherUrl: import.meta.url, settings, logFile, ipc: true });
  } catch (error) {
    throw new LocalChainError(`cannot write to ${settings.directory} (${failureCode(error)})`, { cause: error });
  }
}

/** Resolves with the first message of the process, or with its end. */
function firstMessage({ child, lastLogLine }: ServiceProcess): Promise<ServerMessage> {
  return new Promise((resolve) => {
    const fail = (failure: string): void => resolve({ failure, isStartError: false });
    const onExit = (_: number | null, signal: string | null): void => fail(lastLogLine() || `ended by ${signal}`);
    child.once('error', (error) => fail(error.message));
    child.once('exit', onExit);
    child.once('message', (message: ServerMessage) => {
      child.off('exit', onExit); // a later end is no failed start, and its log may be gone
      resolve(message);
    });
  });
}
