import type { Clock, Random } from '../../../../../common/time.ts';
import type { SolanaCluster } from '../../../../chain/endpoint.ts';
import type { SourceContext } from '../../source.ts';
import {
  defaultSubscriptionTimes,
  type FrameVerdict,
  openSubscription,
  type Subscription,
  type SubscriptionTimes,
} from '../../subscription.ts';
import type { Frame } from '../decode/frames.ts';

/** On a quiet cluster, minutes without a transaction of the program are normal. */
const quietSilenceMs = 600_000;
const subscribeId = 1;

/** How to reach a node's PubSub. */
export interface PubSub {
  /** May contain a key, so it is never logged. */
  wsUrl: string;
  cluster: SolanaCluster;
  clock: Clock;
  random: Random;
  socketTimes?: Partial<SubscriptionTimes> | undefined;
  log: SourceContext['log'];
}

interface Handlers {
  /** Address of the program whose transactions are subscribed to. */
  program: string;
  /** Name in log lines. */
  name: string;
  /** Handles a frame and returns it as read. */
  onFrame: (raw: string) => Frame;
  /** Called when the subscription is acknowledged; `resumed` after an earlier one, so events may be missing. */
  onSubscribed?: (resumed: boolean) => void;
}

/** Keeps a `logsSubscribe` to a program alive. A subscription takes one program. */
export function openLogSubscription(pubSub: PubSub, { program, name, onFrame, onSubscribed }: Handlers): Subscription {
  const { wsUrl, cluster, clock, random, socketTimes, log } = pubSub;
  const params = [{ mentions: [program] }, { commitment: 'confirmed' }];

  function verdictOf(frame: Frame): FrameVerdict {
    if (frame.kind === 'response' && frame.id === subscribeId) return 'subscribed';
    if (frame.kind !== 'error') return 'other';
    log.warn({ code: frame.code, text: frame.message }, `${name} refused`);
    return 'refused';
  }

  return openSubscription({
    url: wsUrl,
    name,
    requests: [JSON.stringify({ jsonrpc: '2.0', id: subscribeId, method: 'logsSubscribe', params })],
    times: {
      ...defaultSubscriptionTimes,
      ...(cluster === 'mainnet' ? {} : { silenceMs: quietSilenceMs }),
      ...socketTimes,
    },
    clock,
    random,
    log,
    onFrame: (raw) => verdictOf(onFrame(raw)),
    onSubscribed: onSubscribed ?? (() => {}),
  });
}
