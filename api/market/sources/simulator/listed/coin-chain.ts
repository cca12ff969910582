import type { ReasonCode } from '../../../../../common/trading/reasons.ts';
import type { CompletedObservation, MigratedObservation, Reserves, TradeObservation } from '../../observation.ts';

/** A coin to put on the chain as it is. */
export interface CoinToList {
  address: string;
  /** Creator and time (epoch ms) that its address follows from. */
  creator: string;
  createdAt: number;
  reserves: Reserves;
}

/** A trade of a simulated wallet on the chain. */
export interface CrowdOrder {
  address: string;
  creator: string;
  side: 'buy' | 'sell';
  venue: 'curve' | 'pool';
  wallet: string;
  /** A purchase: lamports with the fees of curve or pool. A sale: base units. */
  amount: number;
}

/** An event of a coin on the chain, in the chain's own time and slot. */
export interface ChainEvent {
  observation: TradeObservation | CompletedObservation | MigratedObservation;
  /** Whether a simulated wallet made the trade. */
  isCrowd: boolean;
}

/** The newest known state of a coin, from which missed events are found. */
export interface FollowedCoin {
  address: string;
  /** Signature of its newest known event; null or of no transaction of the chain: all are missed. */
  lastSignature: string | null;
  reserves: Reserves;
}

/** The outcome of a listing: the coin on the chain, where it may have been before, or why it is not there. */
export type Listing =
  | { ok: true; stage: 'curve' | 'complete' | 'pool'; reserves: Reserves; isNew: boolean }
  | { ok: false; code: ReasonCode };

/** The chain on which listed coins trade. */
export interface CoinChain {
  /** Resolves with the addresses of all coins on the chain. Rejects while it is away. */
  listed(): Promise<string[]>;
  /** Puts a coin on the chain; a coin that is there stays as it is. Never rejects. */
  list(coin: CoinToList): Promise<Listing>;
  /** Sends a trade of a simulated wallet. Resolves with false when the chain did not take it. Never rejects. */
  trade(order: CrowdOrder): Promise<boolean>;
  /** Sends the move of a sold-out coin into its pool, whose event follows; a coin in its pool stays there. Never rejects. */
  migrate(address: string): Promise<void>;
  /** Resolves with the events of a coin that are missing, oldest first. Rejects while the chain is away. */
  missed(coin: FollowedCoin): Promise<ChainEvent[]>;
  /**
   * Follows all trades, in the order of the chain. After an interruption, and at the start, the missed events of `coins` come first.
   * Returns a function that ends it.
   */
  follow(handlers: { coins(): FollowedCoin[]; onEvents(events: readonly ChainEvent[]): void }): () => void;
}
