import type { Logger } from 'pino';
import type { SourceHealth, SourceState } from '../../../common/sources/model.ts';
import type { SolanaCluster } from '../../chain/endpoint.ts';
import type { Observation } from './observation.ts';
import type { UsageCounter } from './polled/allowance.ts';

/** Provider of observations. A source never throws into the market: it reports trouble through `status()`. */
export interface Source {
  /** Name as in `MARKET` and `/api/health`: `simulator`, `solana`, `replay:<file name>`. */
  readonly name: string;
  /** Begins to observe. Resolves once started, before the connection is open. */
  start(context: SourceContext): Promise<void>;
  /** Stops within a second; nothing is observed afterwards. */
  stop(): Promise<void>;
  /**
   * Discards the tokens that the source invented: it never reports them again and goes on with new ones. Absent in a source
   * that only reports real tokens.
   */
  clear?(): void;
  status(): { state: SourceState; lastEventAt: number | null };
  /** Returns the figures that System Status shows beside the state; absent in a source that never fails. */
  figures?(): SourceFigures;
  /** Returns the known losses; absent when losses are unknown. */
  detection?(): Detection;
  /** Reads missed trades and observes them later, within the source's budget; absent when it cannot. */
  fetchMissed?(missed: MissedTrades): void;
  /** How to poll the source; null or absent when it pushes. */
  readonly poller?: Poller;
}

/** Trouble and limits of a source since the start. Times are epoch ms. */
export interface SourceFigures {
  /** Why it is off, down or waiting, in one sentence; null while all is well. Never contains a key. */
  reason: string | null;
  /** Failed requests or lost connections. */
  errors: number;
  lastErrorAt: number | null;
  /** Items of the wrong shape, which were skipped. */
  malformed: number;
  circuit: SourceHealth['circuit'];
  retryAt: number | null;
  budget: { limit: number; left: number; resetsAt: number | null } | null;
  /** Credits of the month; null without a monthly allowance. */
  allowance: { limit: number; left: number; resetsAt: number } | null;
  key: SourceHealth['key'];
}

/** Figures of a source that had no trouble, without limits: a stream retries forever, so it has no circuit. */
export const healthyFigures: SourceFigures = {
  reason: null,
  errors: 0,
  lastErrorAt: null,
  malformed: 0,
  circuit: 'closed',
  retryAt: null,
  budget: null,
  allowance: null,
  key: 'none',
};

/** Known losses of a stream since the start. */
export interface Detection {
  /** Slots that could not be read completely, not even by backfill; null when the source has no slots. */
  slotsMissed: number | null;
  /** Transactions that the node cut short and could not return. */
  transactionsLost: number;
  /** Transactions of a version that can't be read yet; they are read again later. */
  transactionsUnreadable: number;
  /** Versions of such transactions that the node named, lowest first. */
  unreadableVersions: readonly number[];
  /** Events that could not be decoded. */
  decodeErrors: number;
  cluster: SolanaCluster;
}

/** Losses of a source before its start. */
export const noLosses = {
  slotsMissed: 0,
  transactionsLost: 0,
  transactionsUnreadable: 0,
  unreadableVersions: [],
  decodeErrors: 0,
} as const satisfies Omit<Detection, 'cluster'>;

/** Polling of a source. Both requests resolve with the number of tokens reported and throw a RequestError. */
export interface Poller {
  /** Requests new tokens; null when the service has no such list. */
  readonly fetchListings: (() => Promise<number>) | null;
  /** Requests figures of these tokens, the first `maxPerRun` of them; null when the service has no such request. */
  readonly fetchQuotes: ((addresses: readonly string[]) => Promise<number>) | null;
  readonly maxPerRun: number;
  /** Returns whether a run has to wait for the monthly allowance; absent without one. */
  isPaced?(): boolean;
}

/** What the market provides to a source. */
export interface SourceContext {
  /** Hands observations to the market in the order they happened. Never throws or blocks. `backfill`: read afterwards, not live. */
  observe(observations: readonly Observation[], how?: 'backfill'): void;
  /** Observations in the ingest queue. A source that can wait (history, a fast replay) pauses above a few thousand. */
  backlog(): number;
  /**
   * Resolves with this source's tokens that were alive in storage at the start, to resume from: pinned ones first, then the
   * ones of `also` at any age, then newest first.
   */
  storedTokens(also?: Iterable<string>): Promise<StoredToken[]>;
  /** Resolves with those of the addresses that are tokens of the market, in memory or stored. */
  followed(addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Usage of monthly allowances, which survives a restart. */
  usage: UsageCounter;
  log: Logger;
}

/** Trades of a coin between two that were observed. */
export interface MissedTrades {
  address: string;
  /** Curve or pool that they changed; null when unknown. */
  account: string | null;
  /** The last event before them, and its slot; null when unknown. */
  after: { signature: string | null; slot: number | null };
  /** Signature of the first trade after them. */
  before: string;
  /** True when there may be none, since a donation to the pool explains its reserves as well. */
  isDoubtful?: true;
}

/** Token of an earlier run. Times are epoch ms. */
export interface StoredToken {
  address: string;
  symbol: string | null;
  creator: string | null;
  createdAt: number;
  lastTradeAt: number | null;
  stage: 'curve' | 'complete' | 'pool';
  /** Reserves after the last event; null when unknown. */
  reserves: { virtualQuote: number; virtualToken: number; realQuote: number; realToken: number } | null;
  /** Signature of its newest stored event. */
  lastSignature: string | null;
  /** A token of any age that trading follows; such ones come first. */
  isPinned?: true;
  /** A simulated token that was put on the local chain. */
  isListed?: true;
}

/** Returns whether a source makes observations under this name: `replay:<file>` makes them as `replay`. */
export function isNamed({ name }: Source, observed: string): boolean {
  return name === observed || name.startsWith(`${observed}:`);
}
