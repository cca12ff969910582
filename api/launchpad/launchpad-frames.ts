import { PublicKey } from '@solana/web3.js';
import { createFrames, type Frames } from '../market/sources/solana/decode/frames.ts';
import type { PoolRegistry } from '../market/sources/solana/decode/pools.ts';
import type { Protocol } from '../market/sources/solana/decode/protocol.ts';
import { createPump } from '../market/sources/solana/decode/pump.ts';
import { createPumpSwap } from '../market/sources/solana/decode/pump-swap.ts';
import { poolOf } from './pool.ts';

/**
 * Creates the reader of the local chain's transactions. There one program prints the events of pump.fun's curve and of PumpSwap's
 * pools. `limit`: most events and transactions that are remembered.
 */
export function createLaunchpadFrames(pools: PoolRegistry, limit?: number): Frames {
  const memory = limit === undefined ? {} : { limit };
  return createFrames({ source: 'solana', cluster: 'local', pools, protocols: launchpadProtocols, ...memory });
}

function launchpadProtocols(pools: PoolRegistry): readonly Protocol[] {
  const [curve, pool] = [createPump(pools), createPumpSwap(pools)];
  return [
    {
      program: curve.program,
      firstIndex: curve.firstIndex,
      read(bytes, context) {
        const ofCurve = curve.read(bytes, context);
        return !ofCurve.ok && ofCurve.reason === 'unknown' ? pool.read(bytes, context) : ofCurve;
      },
    },
  ];
}

/** Names the coin of a pool, whose events lack it. */
export function registerPool(pools: PoolRegistry, address: string): void {
  const pool = poolOf(new PublicKey(address)).toBase58();
  pools.set(pool, { mint: address, quote: 'SOL', isMain: true, coinIsBase: true, state: null });
}
