import { PublicKey } from '@solana/web3.js';
import type { Clock } from '../../common/time.ts';
import type { Rpc } from '../chain/rpc.ts';
import { readable, unreadableVersion } from '../chain/versions.ts';
import type { Observation } from '../market/sources/observation.ts';
import type { ChainEvent, FollowedCoin } from '../market/sources/simulator/listed/coin-chain.ts';
import { createFrames, type Frames } from '../market/sources/solana/decode/frames.ts';
import type { PoolRegistry } from '../market/sources/solana/decode/pools.ts';
import type { Protocol } from '../market/sources/solana/decode/protocol.ts';
import { createPump } from '../market/sources/solana/decode/pump.ts';
import { createPumpSwap } from '../market/sources/solana/decode/pump-swap.ts';
import { curveOf } from '../trading/pump/instructions.ts';
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

/** Returns the events of coins among observations of one transaction. */
export function chainEvents(observations: readonly Observation[], isCrowd: boolean): ChainEvent[] {
  return observations.flatMap((observation) =>
    observation.kind === 'trade' || observation.kind === 'completed' || observation.kind === 'migrated'
      ? [{ observation, isCrowd }]
      : [],
  );
}

/** Signatures of one response, and most responses: the chain remembers 20,000 transactions. */
const PAGE = 1_000;
const PAGES = 20;
/** Events of one transaction. */
const MOST_EVENTS = 100;

/** Resolves with the events of a coin after its last known one, oldest first. Rejects while the chain is away. */
export async function missedEvents(
  deps: {
    rpc: Rpc;
    clock: Clock;
    pools: PoolRegistry;
    /** Account that pays for the trades of simulated wallets. */
    crowd: string;
  },
  { address, lastSignature }: FollowedCoin,
): Promise<ChainEvent[]> {
  const { rpc, clock, pools, crowd } = deps;
  const events: ChainEvent[] = [];
  for (const signature of await signaturesAfter(rpc, address, lastSignature)) {
    const transaction = await rpc
      .request((connection) => connection.getParsedTransaction(signature, readable))
      .catch((error: unknown) => {
        // The crowd's own trades are readable; a stranger's must not hold up the others.
        if (unreadableVersion(error) === undefined) throw error;
        return null;
      });
    if (transaction === null) continue;
    const frames = createLaunchpadFrames(pools, MOST_EVENTS);
    const read = frames.readTransaction(signature, transaction, { receivedAt: clock.now(), shift: 0 });
    const payer = transaction.transaction.message.accountKeys[0]?.pubkey.toBase58();
    const own = read.filter((one) => 'address' in one && one.address === address);
    events.push(...chainEvents(own, payer === crowd));
  }
  return events;
}

/** Returns the successful transactions of a coin's curve, which those of its pool name too, after one of them, oldest first; all when it is not among them. */
async function signaturesAfter(rpc: Rpc, address: string, last: string | null): Promise<string[]> {
  const curve = curveOf(new PublicKey(address));
  const newestFirst: string[] = [];
  let before: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const range = before === undefined ? { limit: PAGE } : { limit: PAGE, before };
    const entries = await rpc.request((connection) => connection.getSignaturesForAddress(curve, range, 'confirmed'));
    for (const { signature, err } of entries) {
      if (signature === last) return newestFirst.toReversed();
      if (err === null) newestFirst.push(signature);
    }
    before = entries.at(-1)?.signature;
    if (entries.length < PAGE) break;
  }
  return newestFirst.toReversed();
}
