import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as argon2 from '@node-rs/argon2';
import mongoose from 'mongoose';
import { afterAll } from 'vitest';
import type { StartedChain } from './chain/endpoint.ts';
import type { Limits } from './http/limits/rate-limits.ts';
import { main } from './main.ts';
import { claimDatabase } from './platform/data-format.ts';
import { serverDatabase } from './testing/database.ts';
import {
  cookieOf,
  MASTER_KEY,
  noLimits,
  PASSWORD,
  passwordIn,
  type RequestOptions,
  type TestServer,
} from './testing/server.ts';
import { tokenModels } from './tokens/model.ts';
import type { TokenRecord } from './tokens/record.ts';
import type { PasswordHash } from './users/passwords.ts';

/** Argon2 with its least work: the product's takes 30 ms of a processor for each login and registration. */
const quickHash: PasswordHash = {
  hash: (password) => argon2.hash(password, { memoryCost: 8, timeCost: 1 }),
  verify: argon2.verify,
};

export interface TestServerOptions {
  env?: Record<string, string>;
  mongoUri?: string;
  limits?: Limits;
  /** Default: argon2 with little work. */
  passwordHash?: PasswordHash;
  webRoot?: string;
  /** Tokens that are in the database before the start. */
  stored?: readonly TokenRecord[];
  /** The chain for wallets, of `testChain()`. */
  chain?: StartedChain;
}

/** Starts the product for a test; `stop` removes its data directory. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { uri: mongoUri, release } =
    options.mongoUri === undefined ? serverDatabase() : { uri: options.mongoUri, release: () => undefined };
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-server-'));
  const announced: string[] = [];
  const connection = await mongoose.createConnection(mongoUri, { autoIndex: false, autoCreate: false }).asPromise();
  const tokens = connection.collection<TokenRecord>(tokenModels(connection).tokens.collection.name);
  await claimDatabase(connection);
  if (options.stored) await tokens.insertMany([...options.stored]);
  const run = (changed: Pick<TestServerOptions, 'env' | 'limits'> = {}) =>
    main({
      env: {
        PORT: '0',
        MONGODB_URI: mongoUri,
        MARKET: 'off',
        LOG_LEVEL: 'silent',
        DATA_DIR: dataDir,
        WALLET_MASTER_KEY: MASTER_KEY,
        // Tests act as a proxy, for clients of many addresses.
        TRUSTED_PROXIES: '127.0.0.1',
        ...options.env,
        ...changed.env,
      },
      mongoUri,
      webRoot: options.webRoot ?? path.join(dataDir, 'web'),
      announce: (line) => announced.push(line),
      limits: changed.limits ?? options.limits ?? noLimits,
      passwordHash: options.passwordHash ?? quickHash,
      chain: options.chain,
    });
  let running = await run();

  async function fetchJson(route: string, { method = 'GET', cookie, json, headers = {} }: RequestOptions = {}) {
    const response = await fetch(running.url + route, {
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
    if (reply.status !== 200) throw new Error(`${call} responded ${reply.status}: ${JSON.stringify(reply.body)}`);
    return cookieOf(reply);
  }

  return {
    get url() {
      return running.url;
    },
    mongoUri,
    connection,
    adminPassword: passwordIn(announced),
    async storeTokens(tokens) {
      await tokenModels(connection).tokens.insertMany(tokens);
      await running.reloadLists();
    },
    fetchJson,
    register: (username, password = PASSWORD) => enter('register', username, password),
    login: (username, password = PASSWORD) => enter('login', username, password),
    async restart(changed) {
      await running.stop();
      running = await run(changed);
    },
    stopServer: () => running.stop(),
    async stop() {
      await connection.close();
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
      release();
    },
  };
}

/** Starts the product for all tests of a file, and stops it after them. */
export async function testServer(options?: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  afterAll(() => server.stop());
  return server;
}
