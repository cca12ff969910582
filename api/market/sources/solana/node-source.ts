import { endpointLabel, webSocketUrl } from '../../../chain/endpoint.ts';
import type { NetworkFacts } from '../../../chain/network-facts.ts';
import { type Detection, healthyFigures, type MissedTrades, type Source, type SourceContext } from '../source.ts';
import type { Subscription } from '../subscription.ts';

/** Addresses of a node. */
export interface NodeUrls {
  /** HTTP address; also decides the cluster of its tokens. */
  rpcUrl: string;
  /** PubSub address; derived from `rpcUrl` by default. */
  wsUrl?: string | undefined;
}

/** What a source takes from the facts of its network, and adds to them. */
export type SourceNetwork = Pick<NetworkFacts, 'slotMs' | 'sawVersion'>;

/** A subscription, and the reason to give while the node refuses it. */
interface NodeSubscription {
  subscription: Subscription;
  refused: string;
}

/** A running source. The first subscription decides its state. */
export interface RunningSource {
  subscriptions: readonly [NodeSubscription, ...NodeSubscription[]];
  lastEventAt(): number | null;
  detection(): Detection;
  fetchMissed?(missed: MissedTrades): void;
  stop(): void;
}

interface NodeSourceOptions<Urls extends NodeUrls> {
  name: Source['name'];
  /** Subject of the log lines. */
  title: string;
  options: Urls;
  /** Losses before the start. */
  detection: Detection;
  run(options: Urls & { wsUrl: string }, context: SourceContext): RunningSource;
}

/** Creates a source that subscribes to programs of a Solana node. */
export function createNodeSource<Urls extends NodeUrls>({
  name,
  title,
  options,
  detection,
  run,
}: NodeSourceOptions<Urls>): Source {
  let running: RunningSource | undefined;
  let stopped = false;
  return {
    name,
    async start(context) {
      const { rpcUrl, wsUrl = webSocketUrl(rpcUrl) } = options;
      context.log.info({ rpc: endpointLabel(rpcUrl), ws: endpointLabel(wsUrl) }, `${title} started`);
      if (!stopped) running = run({ ...options, wsUrl }, context);
    },
    async stop() {
      stopped = true;
      running?.stop();
    },
    status: () => ({
      state: stopped ? 'stopped' : (running?.subscriptions[0].subscription.state() ?? 'connecting'),
      lastEventAt: running?.lastEventAt() ?? null,
    }),
    figures: () => ({
      ...healthyFigures,
      ...troubleOf(running?.subscriptions ?? []),
      malformed: running?.detection().decodeErrors ?? 0,
    }),
    fetchMissed: (missed) => running?.fetchMissed?.(missed),
    detection: () => running?.detection() ?? detection,
  };
}

function troubleOf(subscriptions: readonly NodeSubscription[]) {
  const errors = subscriptions.map(({ subscription }) => subscription.errors());
  const times = errors.flatMap(({ lastAt }) => lastAt ?? []);
  return {
    reason: subscriptions.find(({ subscription }) => subscription.state() === 'down')?.refused ?? null,
    errors: errors.reduce((sum, { count }) => sum + count, 0),
    lastErrorAt: times.length === 0 ? null : Math.max(...times),
  };
}
