import type { ChainClient, SignatureStatus } from '../../chain/chain.ts';

/** The node's notification about a signature. It may never come: a lost connection loses it. */
export interface SignatureSubscription {
  /** Null while there is none. */
  status: SignatureStatus | null;
  /** Resolves with the notification. */
  promise: Promise<void>;
  stop: () => void;
}

/** Subscribes to the node's notification about a signature, until it arrives or `stop` is called. */
export function subscribeToSignature(client: ChainClient, signature: string): SignatureSubscription {
  const subscription: SignatureSubscription = { status: null, promise: Promise.resolve(), stop: () => undefined };
  subscription.promise = new Promise((resolve) => {
    subscription.stop = client.watchSignature(signature, (status) => {
      subscription.status = status;
      resolve();
    });
  });
  return subscription;
}
