import type { ChainClient, SignatureStatus } from '../../chain/chain.ts';

/** The node's notification about a signature. It may never arrive, since a lost connection loses it. */
interface SignatureSubscription {
  /** Null before the notification. */
  status: SignatureStatus | null;
  /** Resolves on the notification. */
  promise: Promise<void>;
  stop: () => void;
}

/** Subscribes to a signature until its notification arrives or `stop` is called. */
export function subscribeSignature(client: ChainClient, signature: string): SignatureSubscription {
  const subscription: SignatureSubscription = { status: null, promise: Promise.resolve(), stop: () => undefined };
  subscription.promise = new Promise((resolve) => {
    subscription.stop = client.watchSignature(signature, (status) => {
      subscription.status = status;
      resolve();
    });
  });
  return subscription;
}
