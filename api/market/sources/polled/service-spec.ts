import type { z } from 'zod';
import type { Listing, SourceName } from '../observation.ts';

/**
 * What every polling source is: one file `<name>.ts` beside this one that exports a `PolledSpec`. It knows the service's
 * addresses and payloads and nothing else: keys, limits, repetitions, the circuit, figures and observations are made by
 * `createPolled` around it, the same for all.
 */
export interface PolledSpec {
  readonly name: Extract<SourceName, PolledName>;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly key: KeyPolicy;
  /** The documented limit, with and without a key. */
  limit(hasKey: boolean): RateLimit;
  /** Bytes of an answer; more is refused. Default 2 MiB. */
  readonly maxBytes?: number;
  /** For one attempt, ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** What the service calls its JSON; default: anything with `json` in it. */
  readonly contentType?: RegExp;
  /** New tokens, newest first as far as the service says. */
  listings?(ask: Ask): Promise<Told[]>;
  /** Known tokens. */
  readonly about?: {
    /** Addresses of one call at most. */
    readonly batch: number;
    /** Addresses of one run at most: what the limit, and the price of a call, make sensible. */
    readonly perRun: number;
    ask(ask: Ask, addresses: readonly string[]): Promise<Told[]>;
  };
}

export type PolledName =
  | 'jupiter'
  | 'solana-tracker'
  | 'dexscreener'
  | 'solscan'
  | 'solanafm'
  | 'token-list'
  | 'rugcheck';

export type KeyPolicy =
  | { readonly need: 'none' }
  /** `scheme` goes before the key in the header, e.g. `Bearer`. */
  | { readonly need: 'optional' | 'required'; readonly header: string; readonly scheme?: string };

/** At most `calls` in any span of `windowMs`. */
export interface RateLimit {
  calls: number;
  windowMs: number;
}

/** What a payload says: tokens and, where the service tells it, dollars for 1 SOL. `at`: epoch ms the figures are of; default now. */
export type Told =
  | { kind: 'token'; address: string; at?: number | null; listing: Listing }
  | { kind: 'rate'; solUsd: number; at?: number | null }
  /** Symbols of coins that everybody knows, in capitals → their mints. */
  | { kind: 'symbols'; symbols: ReadonlyMap<string, readonly string[]>; at?: number | null };

/** How a spec asks. Every call takes one of the limit's, waits for its turn, and fails with an AskError. */
export interface Ask {
  /** Parsed JSON of `baseUrl + path`. Values of the query are encoded; null ones are left out. */
  get(path: string, query?: Readonly<Record<string, string | number | null>>): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  /** The items of the right shape; each other one is counted as malformed and left out. No list at all counts as one. */
  items<Schema extends z.ZodType>(schema: Schema, list: unknown): z.output<Schema>[];
  /** The same for a single thing; null when its shape is wrong. */
  item<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null;
  /** Epoch ms. */
  now(): number;
}
