import type { Logger } from 'pino';
import type { SourceHealth, SourceState } from '../../../common/sources/model.ts';
import type { SolanaCluster } from '../../chain/endpoint.ts';
import type { Observation } from './observation.ts';

/** One of the places the market hears from. A source never throws into the market: its trouble is its `status()`. */
export interface Source {
  /** As in `MARKET` and `/api/health`: `simulator`, `solana`, `replay:<file name>`. */
  readonly name: string;
  /** Begins to observe. Resolves once it is on its way, not once it is connected. */
  start(context: SourceContext): Promise<void>;
  /** Stops within a second and observes nothing afterwards. */
  stop(): Promise<void>;
  /**
   * Lets go of the tokens that it makes up: none of those it told of so far is ever told of again, others are. A source
   * that only hears of tokens has nothing to let go of.
   */
  forget?(): void;
  status(): { state: SourceState; lastEventAt: number | null };
  /** What System Status shows beside the state; without it a source is taken for one that never fails. */
  figures?(): SourceFigures;
  /** What is known to be missing; without it nothing can be said of it. */
  detection?(): Detection;
  /** How a source is asked that does not tell by itself; null or missing for one that is told. */
  readonly poll?: Poll;
}

/** Trouble and limits of a source since the start. Times are epoch ms. */
export interface SourceFigures {
  /** Why it is off, down or waiting, in one sentence; null while all is well. Never a key. */
  reason: string | null;
  /** Failed calls or lost connections. */
  errors: number;
  lastErrorAt: number | null;
  /** Items of the wrong shape, which were left out. */
  malformed: number;
  circuit: SourceHealth['circuit'];
  retryAt: number | null;
  budget: { limit: number; left: number; resetsAt: number | null } | null;
  key: SourceHealth['key'];
}

/** What a stream knows that it lost, since the start. */
export interface Detection {
  /** Slots of which not everything could be read, not even afterwards; null when the source knows of no slots. */
  slotsMissed: number | null;
  /** Events that could not be decoded. */
  decodeErrors: number;
  /** The cluster it hears. */
  cluster: SolanaCluster;
}

/** Asking a source. Both questions resolve with how many tokens it told of, and fail with an AskError. */
export interface Poll {
  /** Asks for new tokens; null: it has no such list. */
  readonly listings: (() => Promise<number>) | null;
  /** Asks about known tokens, as many of them as its limits allow in one run; null: it cannot be asked. */
  readonly about: ((addresses: readonly string[]) => Promise<number>) | null;
  /** So many tokens `about` asks about at most; those beyond are left out. */
  readonly perRun: number;
}

/** What a source is given. */
export interface SourceContext {
  /**
   * Hands observations to the market, in the order they happened. Never throws, never blocks. `how`: left out for what the
   * source was told as it happened, `backfill` for what it read afterwards.
   */
  observe(observations: readonly Observation[], how?: 'backfill'): void;
  /** How many observations wait to be merged: a source that can wait (history, a fast replay) does so above a few thousand. */
  backlog(): number;
  /** Tokens of this source that were alive in storage at the start, newest first, so that it can go on with them. */
  known(): Promise<KnownToken[]>;
  log: Logger;
}

export interface KnownToken {
  address: string;
  symbol: string | null;
  creator: string | null;
  createdAt: number;
  lastTradeAt: number | null;
  stage: 'curve' | 'complete' | 'pool';
  /** Reserves after the last event; null when never told. */
  reserves: { virtualQuote: number; virtualToken: number; realQuote: number; realToken: number } | null;
  /** Signature of the newest event stored for it. */
  lastSignature: string | null;
}
