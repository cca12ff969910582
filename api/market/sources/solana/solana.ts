import type { Clock, Random } from '../../../../common/time.ts';
import { clusterOf, endpointLabel, webSocketUrl } from '../../../chain/endpoint.ts';
import { createRpc, type Rpc } from '../../../chain/rpc.ts';
import type { RpcLimits } from '../../../chain/rpc-fetch.ts';
import type { Observation } from '../observation.ts';
import type { Detection, Source, SourceContext } from '../source.ts';
import { defaultSubscriptionTimes, quietStream, type Subscription, type SubscriptionTimes } from '../subscription.ts';
import { coinsOf } from './coins.ts';
import { createFrames, type Frame, type Frames } from './decode/frames.ts';
import { createFactsReader, type FactsReader } from './facts/facts-reader.ts';
import { createMissed, type Missed, type MissedLimits } from './feed/backfill.ts';
import { createHold, type Hold } from './feed/reorder-buffer.ts';
import { createHeard, type Heard } from './feed/resume-cursor.ts';
import { pumpProgram } from './programs.ts';
import { openLogSocket } from './socket.ts';

export interface SolanaOptions {
  /** HTTP address of a node; it also decides the cluster that tokens are told to live on. */
  rpcUrl: string;
  /** PubSub address; derived from `rpcUrl` when it is missing. */
  wsUrl?: string | undefined;
  clock: Clock;
  /** For jitter only; `Math.random` unless a test wants to decide it. */
  random?: Random;
  rpcLimits?: Partial<RpcLimits>;
  socketTimes?: Partial<SubscriptionTimes>;
  missedLimits?: Partial<MissedLimits>;
}

/** Live observations kept back while missed ones are fetched: at mainnet's rate far more than the time allows. */
const heldLimit = 20_000;
const heldLongestMs = 15_000;
/** On a cluster that few use, minutes without a pump.fun transaction are normal. */
const quietSilenceMs = 600_000;

/** Hears pump.fun on Solana: new coins and trades from the program's logs, facts about coins over RPC. */
export function createSolana(options: SolanaOptions): Source {
  let running: Running | undefined;
  let stopped = false;
  return {
    name: 'solana',
    async start(context) {
      const { rpcUrl, wsUrl = webSocketUrl(rpcUrl) } = options;
      context.log.info({ rpc: endpointLabel(rpcUrl), ws: endpointLabel(wsUrl) }, 'listening to Solana');
      if (!stopped) running = begin({ ...options, wsUrl }, context);
    },
    async stop() {
      stopped = true;
      running?.stop();
    },
    status: () => ({
      state: stopped ? 'stopped' : (running?.socket.state() ?? 'connecting'),
      lastEventAt: running?.lastEventAt() ?? null,
    }),
    figures: () => ({
      ...quietStream,
      reason: running?.socket.state() === 'down' ? 'The node could not be subscribed to.' : null,
      errors: running?.socket.errors().count ?? 0,
      lastErrorAt: running?.socket.errors().lastAt ?? null,
      malformed: running?.detection().decodeErrors ?? 0,
    }),
    detection: () => running?.detection() ?? { slotsMissed: 0, decodeErrors: 0, cluster: clusterOf(options.rpcUrl) },
  };
}

interface Running {
  socket: Subscription;
  lastEventAt(): number | null;
  detection(): Detection;
  stop(): void;
}

function begin(options: SolanaOptions & { wsUrl: string }, context: SourceContext): Running {
  const { clock, rpcUrl, wsUrl, random = Math.random } = options;
  const { log } = context;
  const cluster = clusterOf(rpcUrl);
  const rpc: Rpc = createRpc({ url: rpcUrl, random, limits: options.rpcLimits ?? {} });
  const facts: FactsReader = createFactsReader({ rpc, clock, log, observe: context.observe });
  const frames: Frames = createFrames({ source: 'solana', cluster });
  const heard: Heard = createHeard();
  let lastEventAt: number | null = null;

  function observe(observations: readonly Observation[], how?: 'backfill'): void {
    context.observe(observations, how);
    facts.want(coinsOf(observations));
  }
  const hold: Hold = createHold({ observe, limit: heldLimit, longestMs: heldLongestMs });
  const missed: Missed = createMissed({
    rpc,
    frames,
    hold,
    clock,
    log,
    observe: (observations) => observe(observations, 'backfill'),
    known: () => context.storedTokens(),
    limits: options.missedLimits ?? {},
  });

  function read(raw: string): Frame {
    const receivedAt = clock.now();
    const frame = frames.read(raw, { receivedAt, shift: 0 });
    if (frame.kind === 'failed' || frame.kind === 'transaction') heard.add(frame.signature, frame.slot);
    if (frame.kind !== 'transaction') return frame;
    lastEventAt = receivedAt;
    hold.pass(frame.observations);
    if (frame.truncated) missed.fetch(frame.signature);
    return frame;
  }

  const socket = openLogSocket({
    url: wsUrl,
    mentions: pumpProgram,
    times: {
      ...defaultSubscriptionTimes,
      ...(cluster === 'mainnet' ? {} : { silenceMs: quietSilenceMs }),
      ...options.socketTimes,
    },
    clock,
    random,
    log,
    read,
    onSubscribed(again) {
      const firstSlot = heard.subscribed();
      missed.catchUp(again ? heard.upTo() : null, firstSlot);
    },
  });
  return {
    socket,
    lastEventAt: () => lastEventAt,
    detection() {
      const { malformed, truncated, garbage } = frames.counts();
      return { slotsMissed: missed.slotsMissed(), decodeErrors: malformed + truncated + garbage, cluster };
    },
    stop() {
      socket.stop();
      hold.stop();
      missed.stop();
      facts.stop();
      rpc.stop();
      log.info(frames.counts(), 'stopped listening to Solana');
    },
  };
}
