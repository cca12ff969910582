import path from 'node:path';
import { z } from 'zod';
import type { StartedChain } from './chain/endpoint.ts';
import { type Config, readConfig, StartError, startFailure } from './config/config.ts';
import type { Limits } from './http/limits/rate-limits.ts';
import { checkDirectoryFormat } from './platform/data-format.ts';
import { productRoot } from './platform/product.ts';
import type { PasswordHash } from './users/passwords.ts';

export interface ServerOptions {
  env: Readonly<Record<string, string | undefined>>;
  mongoUri: string;
  /** Folder of the built client. */
  webRoot: string;
  /** Folder of the built user guide; default `.build/guide`. */
  guideRoot?: string | undefined;
  /** Receives one line for each step of the start, for the terminal; also the first administrator's password. */
  announce(line: string): void;
  limits?: Limits;
  /** Default argon2. */
  passwordHash?: PasswordHash | undefined;
  /** A lock, such as that of the data directory, proves that every former worker on this database has ended. */
  isAlone?: boolean;
  /** The local chain that was started with the server; SOLANA_RPC_URL takes precedence. */
  chain?: StartedChain | undefined;
}

export interface RunningServer {
  /** Its address for clients, or for other processes when it serves no clients. */
  url: string;
  isPublic: boolean;
  /** Loads the lists from the database again, for tokens that were written past the market. */
  reloadLists(): Promise<void>;
  /** Resolves with the reason when the server has stopped by itself. */
  ended: Promise<string>;
  /** Stops everything in order, within 5 s. */
  stop(): Promise<void>;
}

/** Runs the server as the process's only job (in a container, or watched) until SIGINT or SIGTERM. */
export async function runAsProcess(main: (options: ServerOptions) => Promise<RunningServer>): Promise<void> {
  const announce = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    const mongoUri = process.env.MONGODB_URI?.trim();
    if (!mongoUri) throw new StartError('MONGODB_URI is not set. `npm start` brings a MongoDB of its own.');
    const webRoot = path.join(productRoot(), '.build/web');
    const chain = startedChain(process.env.LOCAL_CHAIN);
    const { url, isPublic, stop, ended } = await main({ env: process.env, mongoUri, webRoot, announce, chain });
    announce(isPublic ? `Mintwatch is at ${url}` : `The worker responds to other processes at ${url}`);
    const end = () => void stop().then(() => process.exit(0));
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
    void ended.then((reason) => {
      process.stderr.write(`${reason}\n`);
      process.exit(1);
    });
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exit(1);
  }
}

/**
 * Runs a command of the built server on the database of MONGODB_URI, for containers. `script`: the npm script that brings a MongoDB
 * of its own. A failure is printed, and makes the exit code 1.
 */
export async function runDirectly(
  script: string,
  work: (config: Config, mongoUri: string) => Promise<void>,
): Promise<void> {
  try {
    const config = readConfig(process.env);
    if (config.mongoUri === null) throw new StartError(`MONGODB_URI is not set. See \`npm run ${script}\`.`);
    await checkDirectoryFormat(config.dataDir);
    await work(config, config.mongoUri);
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`);
    process.exitCode = 1;
  }
}

const chainSchema = z.object({
  rpcUrl: z.url(),
  wsUrl: z.url(),
  launchpadKey: z.string().optional(),
  swapUrl: z.url().optional(),
});

/** Parses LOCAL_CHAIN: `npm run dev` starts the chain itself, since it outlives every restart of the server. */
function startedChain(text: string | undefined): StartedChain | undefined {
  return text ? chainSchema.parse(JSON.parse(text)) : undefined;
}
