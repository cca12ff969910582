import type { Clock, Random } from '../../../../common/time.ts';
import { clusterOf } from '../../../chain/endpoint.ts';
import { createRpc } from '../../../chain/rpc.ts';
import type { RpcLimits } from '../../../chain/rpc-fetch.ts';
import { createGrowingCache } from '../../../platform/growing-cache.ts';
import type { Observation, OnChain } from '../observation.ts';
import { type Detection, noLosses, type Source, type SourceContext } from '../source.ts';
import type { SubscriptionTimes } from '../subscription.ts';
import { createFrames, type Frame } from './decode/frames.ts';
import { type FetchedTransaction, programCalls } from './decode/program-events.ts';
import type { Launchpad } from './decode/protocol.ts';
import { createFactsReader, type FactsTarget } from './facts/facts-reader.ts';
import { createFetchQueue } from './feed/fetch-queue.ts';
import { openLogSubscription } from './feed/log-subscription.ts';
import { createTransactionReader, type Patience } from './feed/transactions.ts';
import { createUnreadable } from './feed/unreadable.ts';
import { createNodeSource, type NodeUrls, type RunningSource, type SourceNetwork } from './node-source.ts';

export interface LaunchpadSourceOptions extends NodeUrls {
  clock: Clock;
  /** For jitter only; `Math.random` by default. */
  random?: Random;
  rpcLimits?: Partial<RpcLimits>;
  socketTimes?: Partial<SubscriptionTimes>;
  patience?: Patience;
  network: SourceNetwork;
  /** Pause before transactions of an unreadable version are read again, ms. */
  unreadableRetryMs?: number;
}

/**
 * Half of what a public node allows for one method, so that two launchpads fit: one call a transaction, at most 172,800 a day.
 * A launchpad with more transactions is observed in part: every creation, and the newest trades.
 */
const defaultRpcLimits = { perSecond: 2, burst: 4 } as const satisfies Partial<RpcLimits>;
const defaultPatience: Patience = { tries: 3, pauseMs: 1_000 };
const inFlight = 2;
/** Transactions that wait: about a minute of the budget. */
const waiting = 120;
/** Signatures remembered to fetch each transaction once. */
const rememberedSignatures = 20_000;

/** Observes one launchpad whose transactions must be fetched. Off unless `MARKET` names it. */
export function createLaunchpadSource(launchpad: Launchpad, options: LaunchpadSourceOptions): Source {
  const cluster = clusterOf(options.rpcUrl);
  return createNodeSource({
    name: launchpad.source,
    title: 'launchpad source',
    options,
    detection: { ...noLosses, slotsMissed: null, cluster },
    run: (urls, context) => run(launchpad, urls, context),
  });
}

function run(
  launchpad: Launchpad,
  options: LaunchpadSourceOptions & { wsUrl: string },
  context: SourceContext,
): RunningSource {
  const { clock, rpcUrl, random = Math.random, patience = defaultPatience, network } = options;
  const { log } = context;
  const cluster = clusterOf(rpcUrl);
  const rpc = createRpc({ url: rpcUrl, random, limits: { ...defaultRpcLimits, ...options.rpcLimits } });
  const facts = createFactsReader({ rpc, clock, log, observe: context.observe });
  // Reads the messages of the node; the programs of its own are not subscribed to.
  const frames = createFrames({ source: 'solana', cluster });
  const seen = createGrowingCache<true>(rememberedSignatures);
  const unreadable = createUnreadable({ retryMs: options.unreadableRetryMs });
  let lastEventAt: number | null = null;
  let lost = 0;
  let decodeErrors = 0;

  const { sawVersion } = network;
  const read = createTransactionReader({ rpc, patience, unreadable, sawVersion, onReadAgain: observe });
  async function fetch(signature: string): Promise<void> {
    const transaction = await read(signature);
    if (transaction === 'unreadable') return;
    if (transaction === 'lost') lost += 1;
    else observe(signature, transaction);
  }
  const onDrop = () => {
    lost += 1;
  };
  const queue = createFetchQueue({ fetch, inFlight, waiting, onDrop });

  function observe(signature: string, transaction: FetchedTransaction): void {
    const read = readTransaction(launchpad, signature, transaction, { receivedAt: clock.now(), cluster });
    decodeErrors += read.malformed;
    if (read.observations.length === 0) return;
    lastEventAt = clock.now();
    context.observe(read.observations);
    facts.request(targetsOf(read.observations, launchpad.vaultOwner));
  }

  function onFrame(raw: string): Frame {
    const frame = frames.read(raw, { receivedAt: clock.now(), shift: 0 });
    if (frame.kind === 'transaction' && !seen.has(frame.signature)) {
      seen.set(frame.signature, true);
      const isUrgent = frame.logs.some((line) => launchpad.urgent.test(line));
      queue.push([frame.signature], isUrgent);
    }
    return frame;
  }

  const pubSub = { ...options, random, cluster, log };
  const name = `log subscription of ${launchpad.source}`;
  const subscription = openLogSubscription(pubSub, { program: launchpad.program, name, onFrame });
  return {
    subscriptions: [{ subscription, refused: 'The node does not accept the subscription.' }],
    lastEventAt: () => lastEventAt,
    detection: () => ({
      ...{ slotsMissed: null, transactionsLost: lost, decodeErrors, cluster },
      ...{ transactionsUnreadable: unreadable.count(), unreadableVersions: unreadable.versions() },
    }),
    stop() {
      subscription.stop();
      queue.stop();
      unreadable.stop();
      facts.stop();
      rpc.stop();
    },
  };
}

/** Decodes the calls of a fetched transaction; nothing without a block time. `malformed`: events that could not be decoded. */
export function readTransaction(
  launchpad: Launchpad,
  signature: string,
  transaction: FetchedTransaction,
  { receivedAt, cluster }: { receivedAt: number; cluster: Detection['cluster'] },
): { observations: Observation[]; malformed: number } {
  const { slot, blockTime, meta } = transaction;
  if (typeof blockTime !== 'number') return { observations: [], malformed: 0 };
  const balances = meta?.postTokenBalances ?? [];
  let index = launchpad.firstIndex;
  const read = programCalls(transaction, launchpad.program).flatMap((call) =>
    launchpad.read(call, {
      at: blockTime * 1_000,
      receivedAt,
      cluster,
      nextPlace(): OnChain {
        index += 1;
        return { signature, index: index - 1, slot };
      },
      decimalsOf: (mint) => balances.find((balance) => balance.mint === mint)?.uiTokenAmount.decimals ?? null,
    }),
  );
  return {
    observations: read.flatMap((one) => (one.ok ? one.observation : [])),
    malformed: read.filter((one) => !one.ok && one.reason !== 'unknown').length,
  };
}

function targetsOf(observations: readonly Observation[], vaultOwner: string): FactsTarget[] {
  const addresses = observations.flatMap((one) => ('address' in one ? one.address : []));
  return [...new Set(addresses)].map((address) => ({ address, excluded: () => [vaultOwner] }));
}
