import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import type { LocalChainUrls } from '../chain/endpoint.ts';
import type { Limits } from '../http/rate-limits.ts';
import { main } from '../main.ts';
import { testDatabase } from './database.ts';

/** Limits that no test reaches by accident. */
const NO_LIMIT = { tries: 1_000_000, seconds: 60 };
export const noLimits: Limits = {
  loginPerAccount: NO_LIMIT,
  loginPerAddress: NO_LIMIT,
  registerPerAddress: NO_LIMIT,
  adminKeyPerAddress: NO_LIMIT,
  adminActionPerUser: NO_LIMIT,
  previewPerUser: NO_LIMIT,
  walletPasswordPerUser: NO_LIMIT,
  walletUsePerUser: NO_LIMIT,
  recordTransactionPerUser: NO_LIMIT,
  telegramCodePerUser: NO_LIMIT,
  telegramTryPerChat: NO_LIMIT,
};

/** The same for every test server, so that the next one on a database can read what the one before encrypted. */
export const MASTER_KEY = '5a'.repeat(32);

export const PASSWORD = 'correct horse';

export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed JSON body; null without a body. */
  body: unknown;
}

export interface RequestOptions {
  method?: string;
  cookie?: string;
  /** Sent as JSON. */
  json?: unknown;
  headers?: Record<string, string>;
}

/** The whole product on a free port, with a database of its own and no market. */
export interface TestServer {
  url: string;
  mongoUri: string;
  /** Another connection to its database, to put things there and to look. */
  connection: Connection;
  /** The generated password of the administrator `admin`. */
  adminPassword: string | null;
  fetchJson(path: string, options?: RequestOptions): Promise<Reply>;
  /** Registers a user and answers the session's cookie. */
  register(username: string, password?: string): Promise<string>;
  /** Signs in and answers the session's cookie. */
  login(username: string, password?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  env?: Record<string, string>;
  mongoUri?: string;
  limits?: Limits;
  webRoot?: string;
  /** The chain for wallets, of `testChain()`. */
  chain?: LocalChainUrls;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const mongoUri = options.mongoUri ?? testDatabase().uri;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-server-'));
  const announced: string[] = [];
  const running = await main({
    env: {
      PORT: '0',
      MARKET: 'off',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
      WALLET_MASTER_KEY: MASTER_KEY,
      ...options.env,
    },
    mongoUri,
    webRoot: options.webRoot ?? path.join(dataDir, 'web'),
    announce: (line) => announced.push(line),
    limits: options.limits ?? noLimits,
    chain: options.chain,
  });
  const connection = await mongoose.createConnection(mongoUri).asPromise();
  const { url } = running;

  async function fetchJson(route: string, { method = 'GET', cookie, json, headers = {} }: RequestOptions = {}) {
    const response = await fetch(url + route, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  async function enter(call: 'login' | 'register', username: string, password: string): Promise<string> {
    const reply = await fetchJson(`/api/auth/${call}`, { method: 'POST', json: { username, password } });
    if (reply.status !== 200) throw new Error(`${call} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return cookieOf(reply);
  }

  return {
    url,
    mongoUri,
    connection,
    adminPassword: passwordIn(announced),
    fetchJson,
    register: (username, password = PASSWORD) => enter('register', username, password),
    login: (username, password = PASSWORD) => enter('login', username, password),
    async stop() {
      await connection.close();
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The administrator's password, when a start announced one. */
export function passwordIn(announced: readonly string[]): string | null {
  return /with the password (\S+)/.exec(announced.join('\n'))?.[1] ?? null;
}

/** What a browser would send back after this answer. */
export function cookieOf(reply: Reply): string {
  return reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}
