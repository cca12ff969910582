import type { Market } from '../../../market/market.ts';
import { createRemoving } from '../../../market/operations/removal.ts';
import { createStepHistory, type PriceStep } from '../../../market/traded/step-history.ts';
import type { TradedCoin } from '../../../market/traded/traded-coin.ts';
import { coin, MINT } from '../../testing/coin.ts';

/** A market of coins that the test sets. */
export interface TestMarket
  extends Pick<Market, 'liveCoin' | 'coin' | 'pin' | 'unpin' | 'onMoved' | 'onRemoving' | 'stepsSince'> {
  coins: Map<string, TradedCoin>;
  /** Number of pins by address. */
  pins: Map<string, number>;
  /** Removes a token, after its last figures were taken. */
  remove(address: string): Promise<void>;
  /** Reports prices of a token, all within one tick. */
  move(prices: readonly (number | null)[], address?: string): void;
}

export function createTestMarket(now: () => number): TestMarket {
  const coins = new Map([[MINT, coin()]]);
  const pins = new Map<string, number>();
  const history = createStepHistory();
  const removing = createRemoving();
  const listeners = new Set<Parameters<Market['onMoved']>[0]>();
  return {
    coins,
    pins,
    liveCoin: (address) => coins.get(address) ?? null,
    coin: async (address) => coins.get(address) ?? null,
    pin: (address) => void pins.set(address, (pins.get(address) ?? 0) + 1),
    unpin: (address) => void pins.set(address, (pins.get(address) ?? 0) - 1),
    stepsSince: history.since,
    onRemoving: removing.subscribe,
    async remove(address) {
      await removing.emit([address]);
      coins.delete(address);
    },
    onMoved(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    move(prices, address = MINT) {
      const known = coins.get(address) ?? coin();
      const steps = prices.map(
        (price): PriceStep => ({
          address,
          at: now(),
          price,
          reserves: known.reserves,
          stage: known.stage,
          venue: known.reservesVenue,
        }),
      );
      coins.set(address, { ...known, price: prices.at(-1) ?? null });
      for (const step of steps) history.add(step);
      for (const listener of listeners) listener({ now: now(), steps });
    },
  };
}
