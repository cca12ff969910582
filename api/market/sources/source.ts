import type { Logger } from 'pino';
import type { SourceState } from '../../../common/health/http.ts';
import type { Observation } from '../observation.ts';

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
}

/** What a source is given. */
export interface SourceContext {
  /** Hands observations to the market, in the order they happened. Never throws, never blocks. */
  observe(observations: readonly Observation[]): void;
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

/** Clock and randomness are handed in, so that tests decide both. */
export type { Clock } from '../../../realtime/clock.ts';
export type Random = () => number;
