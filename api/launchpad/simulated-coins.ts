import { reason } from '../../common/trading/reasons.ts';
import type { Market } from '../market/market.ts';
import type { CoinToList } from '../market/sources/simulator/listed/coin-chain.ts';
import type { ListedCoins } from '../market/sources/simulator/listed/listed-coins.ts';
import type { TradedCoin } from '../market/traded/traded-coin.ts';
import type { SimulatedCoins } from '../trading/executors/curve-quote.ts';
import { seedOfMint } from './simulated-mint.ts';

/**
 * Creates the access of trades on the local chain to simulated coins. `ensureListed` puts a coin on the chain as it is at this moment;
 * from then on its simulated traders trade there, and its figures are those of the chain.
 */
export function createSimulatedCoins(deps: {
  market: Pick<Market, 'coin'>;
  listed: Pick<ListedCoins, 'has' | 'ensure'>;
}): Required<SimulatedCoins> {
  const { market, listed } = deps;
  return {
    async ensureListed(address) {
      if (listed.has(address)) return { ok: true, value: null };
      const coin = await market.coin(address);
      const toList = coin && listable(coin);
      if (!toList) return { ok: false, reason: reason('not-listable') };
      const refusal = await listed.ensure(toList);
      return refusal === null ? { ok: true, value: null } : { ok: false, reason: reason(refusal) };
    },
    async unlisted(address) {
      const coin = await market.coin(address);
      if (coin?.stage !== 'curve' || coin.decimals === null) return null;
      const toList = listable(coin);
      return toList && { reserves: toList.reserves, decimals: coin.decimals };
    },
  };
}

/** Returns a simulated coin as it can be listed; null for any other. */
function listable({ address, creator, createdAt = null, quote, detectedBy, reserves }: TradedCoin): CoinToList | null {
  if (detectedBy !== 'simulator' || quote !== 'SOL') return null;
  if (creator === null || createdAt === null || reserves === null) return null;
  if (seedOfMint(address, { creator, createdAt }) === null) return null;
  return { address, creator, createdAt, reserves: { ...reserves } };
}
