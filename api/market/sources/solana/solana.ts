import { type Clock, MINUTE, type Random } from '../../../../common/time.ts';
import { clusterOf } from '../../../chain/endpoint.ts';
import { createRpc, type Rpc } from '../../../chain/rpc.ts';
import type { RpcLimits } from '../../../chain/rpc-fetch.ts';
import type { Observation } from '../observation.ts';
import { createBudget } from '../polled/budget.ts';
import { noLosses, type Source, type SourceContext } from '../source.ts';
import type { SubscriptionTimes } from '../subscription.ts';
import { createFrames, type Frame, type Frames } from './decode/frames.ts';
import { createPoolRegistry } from './decode/pools.ts';
import { createFactsReader, type FactsReader, tokensOf } from './facts/facts-reader.ts';
import { createLaunchReader } from './facts/launch-reader.ts';
import { createLaunchWatch } from './facts/launch-watch.ts';
import { type Backfill, type BackfillLimits, createBackfill } from './feed/backfill.ts';
import { openLogSubscription } from './feed/log-subscription.ts';
import { createMissedTradesReader, type MissedTradesLimits, type MissedTradesReader } from './feed/missed-trades.ts';
import { createPoolReader, type PoolReader } from './feed/pool-reader.ts';
import { createReorderBuffer, type ReorderBuffer } from './feed/reorder-buffer.ts';
import { createResumeCursor, type ResumeCursor } from './feed/resume-cursor.ts';
import { createSlotOrder, type OrderLimits, type SlotOrder } from './feed/slot-order.ts';
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
  backfillLimits?: Partial<BackfillLimits>;
  /** Pause between two readings of pools, ms. */
  poolPauseMs?: number;
  orderLimits?: Partial<OrderLimits>;
  missedLimits?: Partial<MissedTradesLimits>;
  /** Pause before transactions of an unreadable version are read again, ms. */
  unreadableRetryMs?: number;
}

/**
 * Transactions of PumpSwap with truncated logs that are fetched: a twentieth of the node's 240 calls a minute, since routers trade in
 * many pools of no interest.
 */
const truncatedPoolLimit = { calls: 12, windowMs: MINUTE } as const;

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
  const feed = createFeed(options, context, { rpc, frames, observe, unreadable });

  function onFrame(raw: string): Frame {
    const receivedAt = clock.now();
    const frame = frames.read(raw, { receivedAt, shift: 0 });
    if (frame.kind === 'transaction') {
      lastEventAt = receivedAt;
      feed.buffer.push(frame.observations);
    }
    return frame;
  }

  const pubSub = { ...options, random, cluster, log };
  const subscription = openLogSubscription(pubSub, {
    program: pumpProgram,
    name: 'log subscription',
    onFrame(raw) {
      const frame = onFrame(raw);
      if (frame.kind === 'transaction' || frame.kind === 'failed') cursor.add(frame.signature, frame.slot);
      if (frame.kind === 'transaction' && frame.truncated) feed.backfill.fetch(frame.signature);
      return frame;
    },
    onSubscribed(resumed) {
      const firstSlot = cursor.subscribed();
      feed.backfill.catchUp(resumed ? cursor.point() : null, firstSlot);
    },
  });
  const poolSubscription = openPoolSubscription(pubSub, onFrame, createCutPoolFetch(clock, frames, feed.backfill));
  return {
    subscriptions: [
      { subscription, refused: 'The node does not accept the subscription.' },
      { subscription: poolSubscription, refused: 'The node does not accept the subscription to PumpSwap.' },
    ],
    lastEventAt: () => lastEventAt,
    fetchMissed: (missed) => feed.missedTrades.request(missed),
    detection() {
      const { malformed, truncated, garbage } = frames.counts();
      const decodeErrors = malformed + truncated + garbage;
      const [slotsMissed, transactionsLost] = [feed.backfill.slotsMissed(), feed.backfill.transactionsLost()];
      return {
        ...{ slotsMissed, transactionsLost, decodeErrors, cluster },
        ...{ transactionsUnreadable: unreadable.count(), unreadableVersions: unreadable.versions() },
      };
    },
    stop() {
      subscription.stop();
      poolSubscription.stop();
      poolReader.stop();
      feed.stop();
      facts.stop();
      launches.stop();
      unreadable.stop();
      rpc.stop();
      log.info(frames.counts(), 'solana source stopped');
    },
  };
}

/**
 * Subscribes to PumpSwap. Nothing is fetched after a gap: it has more transactions than a node returns afterwards. The trades that a
 * coin missed are read one by one, and transactions with truncated logs by `fetchCut`.
 */
function openPoolSubscription(
  pubSub: Parameters<typeof openLogSubscription>[0],
  onFrame: (raw: string) => Frame,
  fetchCut: (frame: Frame) => void,
) {
  return openLogSubscription(pubSub, {
    program: pumpSwapProgram,
    name: 'log subscription of pools',
    onFrame(raw) {
      const frame = onFrame(raw);
      fetchCut(frame);
      return frame;
    },
  });
}

/** Returns a function that fetches the transaction of a frame whose logs were truncated, as far as the budget reaches. */
function createCutPoolFetch(clock: Clock, frames: Frames, backfill: Backfill): (frame: Frame) => void {
  const budget = createBudget(() => truncatedPoolLimit, clock.now);
  return (frame) => {
    const isCut = frame.kind === 'transaction' && frame.truncated && !frames.isRead(frame.signature);
    if (isCut && budget.take() === 0) backfill.fetch(frame.signature);
  };
}

/** What lies between the decoder and the market: the order of the chain, and what the subscription did not deliver. */
function createFeed(
  { clock, network, orderLimits, backfillLimits, missedLimits }: SolanaOptions,
  context: SourceContext,
  {
    rpc,
    frames,
    observe,
    unreadable,
  }: { rpc: Rpc; frames: Frames; observe: SourceContext['observe']; unreadable: Unreadable },
) {
  const order: SlotOrder = createSlotOrder({ observe, clock, slotMs: network.slotMs, limits: orderLimits ?? {} });
  const buffer: ReorderBuffer = createReorderBuffer((observations) => order.push(observations));
  const backfill: Backfill = createBackfill({
    rpc,
    frames,
    buffer,
    clock,
    log: context.log,
    observe(observations) {
      observe(observations, 'backfill');
      order.note(observations);
    },
    storedTokens: () => context.storedTokens(),
    unreadable,
    sawVersion: network.sawVersion,
    limits: backfillLimits ?? {},
  });
  const missedTrades: MissedTradesReader = createMissedTradesReader({
    rpc,
    frames,
    clock,
    log: context.log,
    observe: (observations) => observe(observations, 'backfill'),
    unreadable,
    sawVersion: network.sawVersion,
    limits: missedLimits ?? {},
  });
  return {
    buffer,
    backfill,
    missedTrades,
    stop() {
      buffer.stop();
      order.stop();
      backfill.stop();
      missedTrades.stop();
    },
  };
}
