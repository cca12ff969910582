import type { Logger } from 'pino';
import type { Clock, Random } from '../../common/time.ts';
import { reason } from '../../common/trading/reasons.ts';
import type { StartedChain } from '../chain/endpoint.ts';
import type { Config } from '../config/config.ts';
import type { Market } from '../market/market.ts';
import type { CoinToList } from '../market/sources/simulator/listed/coin-chain.ts';
import { createListedCoins, type ListedCoins } from '../market/sources/simulator/listed/listed-coins.ts';
import type { TradedCoin } from '../market/traded/traded-coin.ts';
import type { SimulatedCoins } from '../trading/executors/curve-quote.ts';
import { seedOfMint } from './launchpad-account.ts';
import { createLocalLaunchpad } from './local-launchpad.ts';

/** The simulated coins on the local chain. */
export interface Launchpad {
  listed: ListedCoins;
  /** Ends all calls to the chain. */
  stop(): void;
}

/**
 * Opens the launchpad of the local chain that started with the server. Returns null without such a chain, when another one is
 * configured, or without the simulated market.
 */
export function openLaunchpad(deps: {
  config: Pick<Config, 'solanaRpcUrl' | 'market'>;
  chain: StartedChain | undefined;
  clock: Clock;
  random: Random;
  log: Logger;
}): Launchpad | null {
  const { config, chain, clock, random, log } = deps;
  const launchpadKey = chain?.launchpadKey;
  if (chain === undefined || launchpadKey === undefined || config.solanaRpcUrl !== null) return null;
  if (!config.market.some(({ kind }) => kind === 'simulator')) return null;
  const launchpad = createLocalLaunchpad({ chain: { ...chain, launchpadKey }, clock, random, log });
  return { listed: createListedCoins({ chain: launchpad, random, clock }), stop: launchpad.stop };
}

/**
 * Creates the access of trades on the local chain to simulated coins. `ensureListed` puts a coin on the chain as it is at this moment;
 * from then on its simulated traders trade there, and its figures are those of the chain.
 */
export function createSimulatedCoins(deps: {
  market: Pick<Market, 'coin'>;
  listed: Pick<ListedCoins, 'has' | 'ensure'>;
}): SimulatedCoins {
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
