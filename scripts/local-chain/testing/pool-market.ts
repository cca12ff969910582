import { PublicKey } from '@solana/web3.js';
import { expect } from 'vitest';
import { poolOf, poolProgram, readPool } from '../../../api/launchpad/pool.ts';
import type { TradedCoin } from '../../../api/market/traded/traded-coin.ts';
import { createCurveReader } from '../../../api/trading/executors/curve-reader.ts';
import type { Executor } from '../../../api/trading/executors/executor.ts';
import { createPriorityPrices } from '../../../api/trading/executors/priority-prices.ts';
import { createTradingNode } from '../../../api/trading/executors/trading-node.ts';
import { createJupiterClient } from '../../../api/trading/jupiter/client.ts';
import { createPoolTrades, withPools } from '../../../api/trading/jupiter/pool-trades.ts';
import { jupiterProgram, type SwapProgram } from '../../../api/trading/jupiter/swap-terms.ts';
import type { Signer } from '../../../api/trading/signer.ts';
import { testCoin } from '../../../api/trading/testing/desk.ts';
import { startJupiterEmulator } from '../../jupiter-emulator/emulator.ts';
import type { PrivateChain } from '../../testing/local-chain.ts';

/** What the market reports of a coin in a pool, beside its reserves. */
export const IN_POOL = { launchpad: 'simulator', stage: 'pool', reservesVenue: 'pool' } as const;

/** Opens trades in the pools of a local chain, by an emulator of Jupiter of their own. */
export async function openPoolMarket(chain: PrivateChain) {
  const node = createTradingNode({ url: chain.rpcUrl, cluster: 'local', random: Math.random });
  const emulator = await startJupiterEmulator(chain);
  const jupiter = createJupiterClient({ url: emulator.url, apiKey: () => null, random: Math.random });
  const clock = Date;

  /** Returns a coin as the market shows it: with the reserves of its pool. */
  async function coin(address: string): Promise<TradedCoin> {
    const { accounts } = await node.accounts([poolOf(new PublicKey(address))]);
    const reserves = readPool(accounts[0] ?? null)?.reserves ?? expect.fail('no pool');
    return { ...testCoin(address), ...IN_POOL, reserves };
  }

  return {
    emulator,
    coin,
    /** Returns an executor that trades in pools; `programs`: those whose swaps are signed. */
    executor(
      curve: Executor,
      signer: Signer,
      programs: readonly SwapProgram[] = [jupiterProgram, poolProgram],
    ): Executor {
      const reader = createCurveReader(node, clock);
      const prices = createPriorityPrices(node, Date.now);
      return withPools(curve, createPoolTrades({ node, reader, prices, jupiter, programs, coin, signer, clock }), coin);
    },
    async stop(): Promise<void> {
      jupiter.stop();
      node.stop();
      await emulator.stop();
    },
  };
}
