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
}

/** Makes the trades on a chain that were planned at a coin's launch. */
export interface PlannedTrader {
  /** Buys for `net` quote units. */
  plannedBuy(wallet: string, net: number): void;
  /** Sells a share (0–1) of the wallet's balance. */
  plannedSale(wallet: string, share: number): void;
}
