import type { Logger } from 'pino';
import type { Clock, Random } from '../../common/time.ts';
import type { StartedChain } from '../chain/endpoint.ts';
import type { Config } from '../config/config.ts';
import { createListedCoins, type ListedCoins } from '../market/sources/simulator/listed/listed-coins.ts';
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
