import type { Clock, Random } from '../../../../common/time.ts';
import { clusterOf, endpointLabel, webSocketUrl } from '../../../chain/endpoint.ts';
import { createRpc, type Rpc } from '../../../chain/rpc.ts';
import type { RpcLimits } from '../../../chain/rpc-fetch.ts';
import type { Observation } from '../observation.ts';
import type { Detection, Source, SourceContext } from '../source.ts';
import {
  defaultSubscriptionTimes,
  type FrameVerdict,
  healthyStream,
  openSubscription,
  type Subscription,
  type SubscriptionTimes,
} from '../subscription.ts';
import { createFrames, type Frames } from './decode/frames.ts';
import { createFactsReader, type FactsReader, tokensOf } from './facts/facts-reader.ts';
import { type Backfill, type BackfillLimits, createBackfill } from './feed/backfill.ts';
import { createReorderBuffer, type ReorderBuffer } from './feed/reorder-buffer.ts';
import { createResumeCursor, type ResumeCursor } from './feed/resume-cursor.ts';
import { pumpProgram } from './programs.ts';

export interface SolanaOptions {
  /** HTTP address of a node; also decides the cluster of its tokens. */
  rpcUrl: string;
  /** PubSub address; derived from `rpcUrl` by default. */
  wsUrl?: string | undefined;
  clock: Clock;
  /** For jitter only; `Math.random` by default. */
  random?: Random;
  rpcLimits?: Partial<RpcLimits>;
  socketTimes?: Partial<SubscriptionTimes>;
  backfillLimits?: Partial<BackfillLimits>;
}

/** Live observations buffered during a backfill: far more than mainnet sends in that time. */
const bufferLimit = 20_000;
const bufferLongestMs = 15_000;
/** On a quiet cluster, minutes without a pump.fun transaction are normal. */
const quietSilenceMs = 600_000;
const subscribeId = 1;

/** Observes pump.fun on Solana: new coins and trades from the program's logs, facts about coins over RPC. */
export function createSolana(options: SolanaOptions): Source {
  let running: Running | undefined;
  let stopped = false;
  return {
    name: 'solana',
    async start(context) {
      const { rpcUrl, wsUrl = webSocketUrl(rpcUrl) } = options;
      context.log.info({ rpc: endpointLabel(rpcUrl), ws: endpointLabel(wsUrl) }, 'solana source started');
      if (!stopped) running = run({ ...options, wsUrl }, context);
    },
    async stop() {
      stopped = true;
      running?.stop();
    },
    status: () => ({
      state: stopped ? 'stopped' : (running?.subscription.state() ?? 'connecting'),
      lastEventAt: running?.lastEventAt() ?? null,
    }),
    figures: () => ({
      ...healthyStream,
      reason: running?.subscription.state() === 'down' ? 'The node does not accept the subscription.' : null,
      errors: running?.subscription.errors().count ?? 0,
      lastErrorAt: running?.subscription.errors().lastAt ?? null,
      malformed: running?.detection().decodeErrors ?? 0,
    }),
    detection: () => running?.detection() ?? noDetection(clusterOf(options.rpcUrl)),
  };
}

const noDetection = (cluster: Detection['cluster']): Detection => ({
  slotsMissed: 0,
  transactionsLost: 0,
  decodeErrors: 0,
  cluster,
});

interface Running {
  subscription: Subscription;
  lastEventAt(): number | null;
  detection(): Detection;
  stop(): void;
}

function run(options: SolanaOptions & { wsUrl: string }, context: SourceContext): Running {
  const { clock, rpcUrl, random = Math.random } = options;
  const { log } = context;
  const cluster = clusterOf(rpcUrl);
  const rpc: Rpc = createRpc({ url: rpcUrl, random, limits: options.rpcLimits ?? {} });
  const facts: FactsReader = createFactsReader({ rpc, clock, log, observe: context.observe });
  const frames: Frames = createFrames({ source: 'solana', cluster });
  const cursor: ResumeCursor = createResumeCursor();
  let lastEventAt: number | null = null;

  function observe(observations: readonly Observation[], how?: 'backfill'): void {
    context.observe(observations, how);
    facts.request(tokensOf(observations));
  }
  const buffer: ReorderBuffer = createReorderBuffer({ observe, limit: bufferLimit, longestMs: bufferLongestMs });
  const backfill: Backfill = createBackfill({
    rpc,
    frames,
    buffer,
    clock,
    log,
    observe: (observations) => observe(observations, 'backfill'),
    storedTokens: () => context.storedTokens(),
    limits: options.backfillLimits ?? {},
  });

  function onFrame(raw: string): FrameVerdict {
    const receivedAt = clock.now();
    const frame = frames.read(raw, { receivedAt, shift: 0 });
    switch (frame.kind) {
      case 'failed':
        cursor.add(frame.signature, frame.slot);
        return 'other';
      case 'transaction':
        cursor.add(frame.signature, frame.slot);
        lastEventAt = receivedAt;
        buffer.push(frame.observations);
        if (frame.truncated) backfill.fetch(frame.signature);
        return 'other';
      case 'response':
        return frame.id === subscribeId ? 'subscribed' : 'other';
      case 'error':
        log.warn({ code: frame.code, text: frame.message }, 'log subscription refused');
        return 'refused';
      default:
        return 'other';
    }
  }

  const subscription = subscribeToLogs(options, cluster, log, onFrame, (resumed) => {
    const firstSlot = cursor.subscribed();
    backfill.catchUp(resumed ? cursor.point() : null, firstSlot);
  });
  return {
    subscription,
    lastEventAt: () => lastEventAt,
    detection() {
      const { malformed, truncated, garbage } = frames.counts();
      const decodeErrors = malformed + truncated + garbage;
      const [slotsMissed, transactionsLost] = [backfill.slotsMissed(), backfill.transactionsLost()];
      return { slotsMissed, transactionsLost, decodeErrors, cluster };
    },
    stop() {
      subscription.stop();
      buffer.stop();
      backfill.stop();
      facts.stop();
      rpc.stop();
      log.info(frames.counts(), 'solana source stopped');
    },
  };
}

/** Keeps a `logsSubscribe` to the pump.fun program alive. */
function subscribeToLogs(
  { wsUrl, socketTimes, clock, random = Math.random }: SolanaOptions & { wsUrl: string },
  cluster: Detection['cluster'],
  log: SourceContext['log'],
  onFrame: (raw: string) => FrameVerdict,
  onSubscribed: (resumed: boolean) => void,
): Subscription {
  const params = [{ mentions: [pumpProgram] }, { commitment: 'confirmed' }];
  return openSubscription({
    url: wsUrl,
    name: 'log subscription',
    requests: [JSON.stringify({ jsonrpc: '2.0', id: subscribeId, method: 'logsSubscribe', params })],
    times: {
      ...defaultSubscriptionTimes,
      ...(cluster === 'mainnet' ? {} : { silenceMs: quietSilenceMs }),
      ...socketTimes,
    },
    clock,
    random,
    log,
    onFrame,
    onSubscribed,
  });
}
