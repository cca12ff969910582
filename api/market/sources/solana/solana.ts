import type { Clock, Random } from '../../../../common/time.ts';
import { clusterOf } from '../../../chain/endpoint.ts';
import { createRpc, type Rpc } from '../../../chain/rpc.ts';
import type { RpcLimits } from '../../../chain/rpc-fetch.ts';
import type { Observation } from '../observation.ts';
import { noLosses, type Source, type SourceContext } from '../source.ts';
import type { SubscriptionTimes } from '../subscription.ts';
import { createFrames, type Frame, type Frames } from './decode/frames.ts';
import { createPoolRegistry } from './decode/pools.ts';
import { createFactsReader, type FactsReader, tokensOf } from './facts/facts-reader.ts';
import { createLaunchReader } from './facts/launch-reader.ts';
import { createLaunchWatch } from './facts/launch-watch.ts';
import { createGaps, type GapLimits } from './feed/gaps.ts';
import { openLogSubscription } from './feed/log-subscription.ts';
import { createPoolReader, type PoolReader } from './feed/pool-reader.ts';
import { createResumeCursor, type ResumeCursor } from './feed/resume-cursor.ts';
import { createSlotOrder, type OrderLimits } from './feed/slot-order.ts';
import { createUnreadable, type Unreadable } from './feed/unreadable.ts';
import { createNodeSource, type NodeUrls, type RunningSource, type SourceNetwork } from './node-source.ts';
import { pumpProgram, pumpSwapProgram } from './programs.ts';

export interface SolanaOptions extends NodeUrls {
  clock: Clock;
  network: SourceNetwork;
  /** For jitter only; `Math.random` by default. */
  random?: Random;
  rpcLimits?: Partial<RpcLimits>;
  socketTimes?: Partial<SubscriptionTimes>;
  gapLimits?: Partial<GapLimits>;
  /** Pause between two readings of pools, ms. */
  poolPauseMs?: number;
  orderLimits?: Partial<OrderLimits>;
  /** Pause before transactions of an unreadable version are read again, ms. */
  unreadableRetryMs?: number;
}

/**
 * Observes pump.fun on Solana, on its curves and in PumpSwap's pools: new coins and trades from the programs' logs, facts about
 * coins over RPC. A subscription has one program, so there are two.
 */
export function createSolana(options: SolanaOptions): Source {
  const cluster = clusterOf(options.rpcUrl);
  const detection = { ...noLosses, cluster };
  return createNodeSource({ name: 'solana', title: 'solana source', options, detection, run });
}

function run(options: SolanaOptions & { wsUrl: string }, context: SourceContext): RunningSource {
  const { clock, rpcUrl, random = Math.random, network } = options;
  const { log } = context;
  const cluster = clusterOf(rpcUrl);
  const rpc: Rpc = createRpc({ url: rpcUrl, random, limits: options.rpcLimits ?? {} });
  const facts: FactsReader = createFactsReader({ rpc, clock, log, observe: context.observe });
  const launchWatch = createLaunchWatch();
  const unreadable = createUnreadable({ retryMs: options.unreadableRetryMs });
  const launches = createLaunchReader({ rpc, clock, log, observe: context.observe, unreadable });
  const pools = createPoolRegistry();
  const frames: Frames = createFrames({ source: 'solana', cluster, slotMs: network.slotMs, pools });
  const followed: SourceContext['followed'] = (mints) => context.followed(mints);
  const poolReader: PoolReader = createPoolReader({ rpc, pools, followed, log, pauseMs: options.poolPauseMs });
  pools.onUnknown(poolReader.request);
  const cursor: ResumeCursor = createResumeCursor();
  let lastEventAt: number | null = null;

  function observe(observations: readonly Observation[], how?: 'backfill'): void {
    context.observe(observations, how);
    facts.request(tokensOf(observations));
    launches.push(launchWatch.observe(observations));
  }
  const { order, gaps } = createFeed(options, context, { rpc, frames, observe, unreadable });

  function onFrame(raw: string, venue: 'curve' | 'pool'): Frame {
    const receivedAt = clock.now();
    const frame = frames.read(raw, { receivedAt, shift: 0 });
    if (frame.kind === 'transaction') {
      lastEventAt = receivedAt;
      order.push(frame.observations);
      if (frame.truncated) gaps.complete(frame.signature, venue);
    }
    return frame;
  }

  const pubSub = { ...options, random, cluster, log };
  const subscription = openLogSubscription(pubSub, {
    program: pumpProgram,
    name: 'log subscription',
    onFrame(raw) {
      const frame = onFrame(raw, 'curve');
      if (frame.kind === 'transaction' || frame.kind === 'failed') cursor.add(frame.signature, frame.slot);
      return frame;
    },
    onSubscribed(resumed) {
      const firstSlot = cursor.subscribed();
      gaps.catchUp(resumed ? cursor.point() : null, firstSlot);
    },
  });
  // Nothing is fetched after a gap of pools: it has more transactions than a node returns afterwards. The trades that a coin
  // missed are read one by one.
  const poolSubscription = openLogSubscription(pubSub, {
    program: pumpSwapProgram,
    name: 'log subscription of pools',
    onFrame: (raw) => onFrame(raw, 'pool'),
  });
  return {
    subscriptions: [
      { subscription, refused: 'The node does not accept the subscription.' },
      { subscription: poolSubscription, refused: 'The node does not accept the subscription to PumpSwap.' },
    ],
    lastEventAt: () => lastEventAt,
    fetchMissed: gaps.fetchTrades,
    detection: () => ({
      ...{ ...gaps.losses(), decodeErrors: decodeErrorsOf(frames), cluster },
      ...{ transactionsUnreadable: unreadable.count(), unreadableVersions: unreadable.versions() },
    }),
    stop() {
      for (const part of [subscription, poolSubscription, poolReader, order, gaps]) part.stop();
      for (const part of [facts, launches, unreadable, rpc]) part.stop();
      log.info(frames.counts(), 'solana source stopped');
    },
  };
}

/** What lies between the decoder and the market: the order of the chain, and what the subscriptions did not deliver. */
function createFeed(
  { clock, network, orderLimits = {}, gapLimits = {} }: SolanaOptions,
  { log, storedTokens }: SourceContext,
  parts: { rpc: Rpc; frames: Frames; observe: SourceContext['observe']; unreadable: Unreadable },
) {
  const { slotMs, sawVersion } = network;
  const order = createSlotOrder({ observe: parts.observe, clock, slotMs, limits: orderLimits });
  return { order, gaps: createGaps({ ...parts, order, clock, log, storedTokens, sawVersion, limits: gapLimits }) };
}

function decodeErrorsOf(frames: Frames): number {
  const { malformed, truncated, garbage } = frames.counts();
  return malformed + truncated + garbage;
}
