import type { ChainClient, SignatureStatus } from '../../chain/chain.ts';

/** The node's own word on a signature, as soon as it comes. It may never come: a lost connection loses it. */
export interface Heard {
  /** Null while there is none. */
  status: SignatureStatus | null;
  /** Resolves with the word. */
  promise: Promise<void>;
  stop: () => void;
}

/** Listens for what the node says of a signature, until it has or `stop` is called. */
export function hearSignature(client: ChainClient, signature: string): Heard {
  const heard: Heard = { status: null, promise: Promise.resolve(), stop: () => undefined };
  heard.promise = new Promise((resolve) => {
    heard.stop = client.watchSignature(signature, (status) => {
      heard.status = status;
      resolve();
    });
  });
  return heard;
}
