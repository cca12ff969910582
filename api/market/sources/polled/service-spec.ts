import type { z } from 'zod';
import type { Listing, SourceName } from '../observation.ts';

/**
 * Description of a polled service: its addresses and payloads. Keys, limits, retries, the circuit, figures and observations
 * are the same for all services and live in `createPolledSource`.
 */
export interface ServiceSpec {
  readonly name: Extract<SourceName, PolledName>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: KeyPolicy;
  /** Returns the documented limit with or without a key. */
  limit(hasKey: boolean): RateLimit;
  /** Credits of the plan; absent when it has no monthly allowance. */
  readonly allowance?: MonthlyCredits;
  /** Retries after the first attempt. Default 2. */
  readonly retries?: number;
  /** Largest response, in bytes. Default 2 MiB. */
  readonly maxBytes?: number;
  /** Timeout of one attempt, ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Content type of its JSON. Default: anything with `json` in it. */
  readonly contentType?: RegExp;
  /** Resolves with new tokens, newest first if the service orders them. */
  fetchListings?(api: ServiceApi): Promise<PolledItem[]>;
  /** Figures of known tokens. */
  readonly quotes?: {
    /** Most addresses of one request. */
    readonly batchSize: number;
    /** Most addresses of one run, by the limit and the price of a request. */
    readonly maxPerRun: number;
    fetch(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]>;
  };
}

type PolledName = 'jupiter' | 'solana-tracker' | 'dexscreener' | 'solscan' | 'solanafm' | 'token-list' | 'rugcheck';

export type KeyPolicy =
  | { readonly need: 'none' }
  /** `scheme` precedes the key in the header, e.g. `Bearer`. */
  | { readonly need: 'optional' | 'required'; readonly header: string; readonly scheme?: string };

/** At most `calls` in any span of `windowMs`. */
export interface RateLimit {
  calls: number;
  windowMs: number;
}

/** Credits of a plan. */
export interface MonthlyCredits {
  /** Included a month. */
  readonly perMonth: number;
  /** Cost of one request for new tokens. */
  readonly listings: number;
  /** Cost of one request for figures of known tokens. */
  readonly quotes: number;
}

/** One item of a payload. `at`: epoch ms of its figures; default now. */
export type PolledItem =
  | { kind: 'token'; address: string; at?: number | null; listing: Listing }
  /** Dollars for 1 SOL. */
  | { kind: 'rate'; solUsd: number; at?: number | null }
  /** Symbols of well-known coins, in capitals → their mints. */
  | { kind: 'symbols'; symbols: ReadonlyMap<string, readonly string[]>; at?: number | null };

/** Requests of a spec. Each counts against the limit, waits for its turn, and throws a RequestError. */
export interface ServiceApi {
  /** Resolves with the JSON of `baseUrl + path`. Values of the query are encoded; null ones are omitted. */
  get(path: string, query?: Readonly<Record<string, string | number | null>>): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  /** Returns the items of the right shape; others count as malformed. Counts a value that is no list as one. */
  items<Schema extends z.ZodType>(schema: Schema, list: unknown): z.output<Schema>[];
  /** Returns the parsed value; null, counted as malformed, when its shape is wrong. */
  item<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null;
  /** Returns epoch ms. */
  now(): number;
}
