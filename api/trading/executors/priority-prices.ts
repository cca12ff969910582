import type { PublicKey } from '@solana/web3.js';
import { LRUCache } from 'lru-cache';
import type { TradingNode } from './trading-node.ts';

/** How long a price counts, ms: about 50 blocks in autumn 2026. */
const FRESH_MS = 10_000;
const KEPT_MAX = 500;
const PERCENTILE = 0.75;

export type PriorityPrices = ReturnType<typeof createPriorityPrices>;

/** Usual prices of being included soon, microlamports a compute unit. */
export function createPriorityPrices(node: Pick<TradingNode, 'recentPrices'>, now: () => number) {
  const kept = new LRUCache<string, { price: number; at: number }>({ max: KEPT_MAX });
  return {
    /** Returns the upper quartile of recent prices above 0 for writing to these accounts; 0 when there is none, or the node reports none. */
    async of(accounts: readonly PublicKey[]): Promise<number> {
      const name = accounts.map((account) => account.toBase58()).join(' ');
      const known = kept.get(name);
      if (known && now() - known.at < FRESH_MS) return known.price;
      const price = await node.recentPrices(accounts).then(upperQuartile, () => known?.price ?? 0);
      kept.set(name, { price, at: now() });
      return price;
    },
  };
}

/** Returns the upper quartile of the prices above 0; 0 without any. */
function upperQuartile(prices: readonly number[]): number {
  const paid = prices.filter((price) => price > 0).sort((a, b) => a - b);
  return paid[Math.ceil(paid.length * PERCENTILE) - 1] ?? 0;
}
