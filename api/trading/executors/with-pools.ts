import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { PoolTrades } from '../jupiter/pool-trades.ts';
import type { Executor } from './executor.ts';

/**
 * Returns an executor that trades coins in pools by `pools`, and all others on their curve. Sends, verdicts and balances are the same for
 * both: signed bytes tell how they trade.
 */
export function withPools(
  curve: Executor,
  pools: PoolTrades,
  coin: (address: string) => Promise<Pick<TradedCoin, 'stage'> | null>,
): Executor {
  const tradesOf = async (address: string): Promise<PoolTrades> =>
    (await coin(address))?.stage === 'pool' ? pools : curve;
  return {
    ...curve,
    tradesPools: true,
    quote: async (ask) => (await tradesOf(ask.address)).quote(ask),
    sign: async (ask, ...trade) => (await tradesOf(ask.address)).sign(ask, ...trade),
  };
}
