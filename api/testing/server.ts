import type { Connection } from 'mongoose';
import { defaultLimits, type Limits } from '../http/limits/rate-limits.ts';
import type { TokenRecord } from '../tokens/record.ts';

/** Limits that no test reaches by accident. */
export const noLimits: Limits = structuredClone(defaultLimits);
for (const limit of Object.values(noLimits)) Object.assign(limit, { tries: 1_000_000, seconds: 60 });

/** The same for every test server, so that the next one on a database can read what the one before encrypted. */
export const MASTER_KEY = '5a'.repeat(32);

/** Variables of a server of several processes, whose Redis is away. */
export const PROCESSES = {
  CHANNEL_SECRET: 'a-secret-of-the-processes',
  SESSION_KEYS: 'the-key-of-all-processes',
  REDIS_URL: 'redis://127.0.0.1:1',
};

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
  /** Changes with a restart. */
  readonly url: string;
  mongoUri: string;
  /** Another connection to its database, to put things there and to look. */
  connection: Connection;
  /** The generated password of the administrator `admin`. */
  adminPassword: string | null;
  /** Stores tokens past the market, and loads the lists again. */
  storeTokens(tokens: readonly TokenRecord[]): Promise<void>;
  fetchJson(path: string, options?: RequestOptions): Promise<Reply>;
  /** Registers a user and returns the session's cookie. */
  register(username: string, password?: string): Promise<string>;
  /** Signs in and returns the session's cookie. */
  login(username: string, password?: string): Promise<string>;
  /** Stops the server, and starts it again on the same database with these changes. */
  restart(changed?: { env?: Record<string, string>; limits?: Limits }): Promise<void>;
  /** Stops the server alone: its database and files stay until `stop`. */
  stopServer(): Promise<void>;
  stop(): Promise<void>;
}

/** The administrator's password, when a start announced one. */
export function passwordIn(announced: readonly string[]): string | null {
  return /with the password (\S+)/.exec(announced.join('\n'))?.[1] ?? null;
}

/** What a browser would send back after this response. */
export function cookieOf(reply: Reply): string {
  return reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}
