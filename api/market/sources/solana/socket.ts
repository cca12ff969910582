import { openSubscription, type Subscription, type SubscriptionOptions } from '../subscription.ts';
import type { Frame } from './decode/frames.ts';

export interface LogSocketOptions
  extends Pick<SubscriptionOptions, 'url' | 'times' | 'clock' | 'random' | 'log' | 'onSubscribed'> {
  /** The one account whose transactions are subscribed to. */
  mentions: string;
  /** Reads a frame's text; answers and refusals come back to the socket, the rest is the caller's. */
  read(raw: string): Frame;
}

const subscribeId = 1;

/** Keeps one `logsSubscribe` alive. */
export function openLogSocket({ mentions, read, ...options }: LogSocketOptions): Subscription {
  const params = [{ mentions: [mentions] }, { commitment: 'confirmed' }];
  return openSubscription({
    ...options,
    name: 'log subscription',
    requests: [JSON.stringify({ jsonrpc: '2.0', id: subscribeId, method: 'logsSubscribe', params })],
    read(raw) {
      const frame = read(raw);
      if (frame.kind === 'answer' && frame.id === subscribeId) return 'subscribed';
      if (frame.kind !== 'error') return 'other';
      options.log.warn({ code: frame.code, text: frame.message }, 'the node refuses the log subscription');
      return 'refused';
    },
  });
}
