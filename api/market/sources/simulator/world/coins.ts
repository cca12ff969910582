import type { Coin } from '../coin/coin.ts';
import type { LifePath } from './floor.ts';

/** A coin with its path; null at the end of its life. */
export interface KnownCoin {
  coin: Coin;
  path: LifePath | null;
}

/** The coins of a world. */
export type LivingCoins = ReturnType<typeof createLivingCoins>;

/** Most coins that trade at a time; a launch beyond it ends the oldest ordinary coin. */
const MOST_ALIVE = 4_000;
/** Dead coins remembered, since planned sales of them may follow and a user may still buy them. */
const MOST_DEAD = 2_000;

export function createLivingCoins() {
  const alive = new Map<string, { coin: Coin; path: LifePath }>();
  /** Oldest death first. */
  const dead = new Map<string, Coin>();

  function drop(coin: Coin): void {
    coin.alive = false;
    alive.delete(coin.address);
    dead.set(coin.address, coin);
    const [oldest] = dead.keys();
    if (dead.size > MOST_DEAD && oldest !== undefined) dead.delete(oldest);
  }

  function dropOldest(): void {
    for (const { coin, path } of alive.values()) {
      if (path.lasting) continue;
      drop(coin);
      return;
    }
  }

  return {
    /** Adds a coin, and ends the oldest ordinary one when there are too many. */
    add(coin: Coin, path: LifePath): void {
      if (alive.size >= MOST_ALIVE) dropOldest();
      alive.set(coin.address, { coin, path });
    },
    /** Ends the life of a coin. */
    drop,
    /** Returns a living coin, or one of the newest dead ones; null for any other. */
    find(address: string): KnownCoin | null {
      const known = alive.get(address);
      if (known !== undefined) return known;
      const coin = dead.get(address);
      return coin === undefined ? null : { coin, path: null };
    },
    clear(): void {
      for (const { coin } of alive.values()) coin.alive = false;
      alive.clear();
      dead.clear();
    },
  };
}
