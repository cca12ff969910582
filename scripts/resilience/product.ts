import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import mongoose from 'mongoose';
import { io, type Socket } from 'socket.io-client';
import { afterAll } from 'vitest';
import { claimDatabase } from '../../api/platform/data-format.ts';
import { builtFile } from '../../api/testing/built.ts';
import { testFolder } from '../../api/testing/folder.ts';
import { justLaunched } from '../../api/testing/tokens.ts';
import { tokenModels } from '../../api/tokens/model.ts';
import type { ClientToServerEvents, ServerToClientEvents } from '../../common/live/events.ts';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import type { PrivateChain } from '../testing/local-chain.ts';
import { privateMongo } from '../testing/private-services.ts';

const root = path.resolve(import.meta.dirname, '../..');

export type LiveClient = Socket<ServerToClientEvents, ClientToServerEvents>;

/** The whole product in a process of its own, so that a test can kill it. */
export interface Product {
  url: string;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export const ADMIN = { username: 'admin', password: 'correct-horse-battery' };

/**
 * Gives the tests of a file a database and a data folder, and starts the product on them, as often as they kill it; the last one is
 * killed after them. Called outside of the tests. `env`: further variables of every start. The simulated market starts at the present.
 */
export async function productScene(env: Record<string, string>) {
  const mongo = await privateMongo();
  await skipPast(mongo.uri);
  const dataDir = await testFolder('product');
  const common = { MONGODB_URI: mongo.uri, DATA_DIR: dataDir, ADMIN_PASSWORD: ADMIN.password };
  let product: Product | null = null;
  afterAll(() => product?.kill());
  return {
    mongo,
    dataDir,
    /** Starts the product. `onLine` receives every line of its standard output. */
    async start(onLine?: (line: string) => void): Promise<Product> {
      product = await startProduct({ ...common, ...env }, onLine);
      return product;
    },
  };
}

/** Returns the variable that has the product use a chain, and the swaps of `swapUrl`. */
export function chainVariable({ rpcUrl, wsUrl, launchpadKey }: PrivateChain, swapUrl?: string) {
  return { LOCAL_CHAIN: JSON.stringify({ rpcUrl, wsUrl, launchpadKey, swapUrl }) };
}

/** A process of the server, which may stand by. */
export interface ServerProcess extends Omit<Product, 'url'> {
  /** Resolves with its address once it serves; rejects when it ends before. */
  url: Promise<string>;
  /** Resolves with the exit code, null after a signal. */
  gone: Promise<number | null>;
  /** Freezes it (SIGSTOP), and has it go on (SIGCONT). */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts the server's entry module on a free port and waits for its URL. */
export async function startProduct(
  env: Record<string, string>,
  onLine: (line: string) => void = () => {},
): Promise<Product> {
  const { url, kill, stop } = startProcess(env, onLine);
  return { url: await url, kill, stop };
}

/** Starts the server's entry module on a free port. `onLine` receives every line of its standard output. */
export function startProcess(env: Record<string, string>, onLine: (line: string) => void = () => {}): ServerProcess {
  const child = spawn(process.execPath, [builtFile('api/main.ts')], {
    cwd: root,
    // The test acts as a proxy, for clients of many addresses.
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit').then(() => child.exitCode);
  const url = Promise.race([
    announcedUrl(child, onLine),
    gone.then(() => Promise.reject(new Error('the product did not start'))),
  ]);
  // A process that is killed while it stands by never has one.
  url.catch(() => {});
  return {
    url,
    gone,
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.kill('SIGTERM');
      await gone;
      return child.exitCode;
    },
  };
}

/** Resolves with the address that a server announces on its output, which is read to its end. */
export function announcedUrl(child: ChildProcess, onLine: (line: string) => void = () => {}): Promise<string> {
  child.stderr?.on('data', (text: Buffer) => process.stderr.write(text));
  if (!child.stdout) throw new Error('the output is not readable');
  // Read to the end: a full pipe would block the server.
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      onLine(line);
      const url = /^(?:Mintwatch is|The worker responds to other processes) at (\S+)$/.exec(line)?.[1];
      if (url) resolve(url);
    });
    lines.on('close', () => reject(new Error('the product ended without its URL')));
  });
}

/** Stores a token in the empty database of a product, whose simulated market then starts at the present. */
export async function skipPast(mongoUri: string): Promise<void> {
  const connection = await mongoose.createConnection(mongoUri, { autoIndex: false, autoCreate: false }).asPromise();
  await claimDatabase(connection);
  await tokenModels(connection).tokens.insertMany([justLaunched()]);
  await connection.close();
}

/** A signed-in session. */
export interface SignedIn {
  cookie: string;
  get(path: string): Promise<Response>;
}

/** Signs in. Returns the session for later calls. */
export async function signIn(url: string, username: string, password: string): Promise<SignedIn> {
  const response = await post(url, '/api/auth/login', { username, password });
  if (!response.ok) throw new Error(`login responded with ${response.status}: ${await response.text()}`);
  const cookie = cookieOf(response);
  return { cookie, get: (where) => fetch(url + where, { headers: { cookie } }) };
}

/** Returns the cookies that a response sets, as a request sends them. */
export function cookieOf({ headers }: Response): string {
  const cookies = headers.getSetCookie().map((line) => line.split(';')[0]);
  return cookies.join('; ');
}

/** Posts JSON. `address` is the client's address as a proxy forwards it, which the limits count. */
export function post(url: string, where: string, body: unknown, address = '127.0.0.1'): Promise<Response> {
  return fetch(url + where, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
}

/** Connects a live client with the session's cookie. It does not reconnect, so that a test notices a break. */
export function connectLive(url: string, cookie: string): LiveClient {
  return io(url, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { cookie },
    auth: { protocol: PROTOCOL_VERSION },
  });
}
