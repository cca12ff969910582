import type { Observation } from '../../observation.ts';
import type { Coin } from '../coin/coin.ts';
import type { Dice } from '../random.ts';
import type { Identities } from './identities.ts';

/** Observation before it leaves the world, which adds source and receive time. */
export type WorldEvent = Observation extends infer One
  ? One extends Observation
    ? Omit<One, 'source' | 'receivedAt'>
    : never
  : never;

/** Where the traders of a coin trade: the simulated world, or a chain for a coin that is listed there. */
export interface TradingFloor {
  readonly dice: Dice;
  readonly identities: Identities;
  readonly solUsd: number;
  /** Buys for `net` quote units (fees excluded). */
  buy(coin: Coin, wallet: string, net: number, at: number): void;
  /** Sells up to `tokens` base units. */
  sell(coin: Coin, wallet: string, tokens: number, at: number): void;
}

/** Behaviour of a coin over its life. */
export interface LifePath {
  /** Exempt from removal when too many coins are alive. */
  lasting: boolean;
  /** Runs one event and returns the ms until the next one; null at the end of the life. */
  step(floor: TradingFloor, coin: Coin, at: number): number | null;
  /** Returns a path that continues independently from the same point. */
  copy(): LifePath;
}

/**
 * A coin that trades on a chain. Its counterpart in the world lives on unobserved, so that the random numbers of all other coins
 * stay the same.
 */
export interface ListedTwin {
  /** Receives an event of the counterpart, which the world does not emit. */
  onEvent(event: WorldEvent): void;
  /** Repeats a planned purchase for `net` quote units. */
  buy(wallet: string, net: number): void;
  /** Repeats a planned sale of a share (0–1) of the wallet's balance. */
  sellShare(wallet: string, share: number): void;
}
