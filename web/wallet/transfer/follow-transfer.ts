import { type ChainClient, confirmTimeout, type SignatureStatus } from '../../chain/chain.ts';
import { chainErrorReason } from '../../chain/chain-error.ts';
import { subscribeToSignature } from './signature-subscription.ts';
import type { SentTransfer } from './transfer-state.ts';

/** Poll interval of a transfer beside the node's notification, ms; doubles after each failure. */
const ASK_EVERY_MS = 2_000;
const ASK_EVERY_MAX_MS = 15_000;
/**
 * Nodes behind one address may lag: only when the transfer is missing twice beyond its last block, it has certainly
 * expired.
 */
const MISSING_BEYOND_EXPIRY = 2;

const TIMED_OUT = 'The network has not confirmed it within 30 seconds.';

/** Outcome of a transfer. `expired`: its last block has passed without it, so it can no longer arrive. */
export type Outcome = { is: 'confirmed' | 'expired' } | { is: 'failed'; why: string };

export interface FollowDeps {
  client: ChainClient;
  /** Whether to continue. */
  wanted(): boolean;
  /** Whether the network may not have it: then the same bytes are sent again. */
  uncertain(): boolean;
  /** Called each time the transfer is found to be slow. */
  onOverdue(why: string): void;
  /** Epoch ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Polls a signature until the chain has decided or it has expired. Resolves with null when stopped before. */
export async function followTransfer(sent: SentTransfer, deps: FollowDeps): Promise<Outcome | null> {
  const deadline = deps.now() + confirmTimeout('confirmed');
  const subscription = subscribeToSignature(deps.client, sent.signature);
  const sendAgain = createResender(deps.client, sent.bytes);
  let missing = 0;
  let pause = ASK_EVERY_MS;
  const overdue = (why: string) => deps.now() >= deadline && deps.onOverdue(why);

  /** The outcome; null without one. */
  async function ask(): Promise<Outcome | null> {
    const status = subscription.status ?? (await deps.client.status(sent.signature));
    if (status.is === 'confirmed' || status.is === 'failed') return outcomeOf(status);
    const beyond = status.is === 'unseen' && (await deps.client.blockHeight()) > sent.lastValidBlockHeight;
    missing = beyond ? missing + 1 : 0;
    return missing < MISSING_BEYOND_EXPIRY ? null : { is: 'expired' };
  }

  try {
    while (deps.wanted()) {
      try {
        const outcome = await ask();
        if (outcome !== null) return outcome;
        pause = ASK_EVERY_MS;
        overdue(TIMED_OUT);
      } catch (reason) {
        pause = Math.min(2 * pause, ASK_EVERY_MAX_MS);
        overdue(chainErrorReason(reason));
      }
      if (deps.uncertain() && missing === 0) sendAgain();
      await Promise.race([deps.sleep(pause), subscription.promise]);
    }
    return null;
  } finally {
    subscription.stop();
  }
}

function outcomeOf(status: SignatureStatus): Outcome | null {
  switch (status.is) {
    case 'confirmed':
      return { is: 'confirmed' };
    case 'failed':
      return status;
    case 'unseen':
    case 'seen':
      return null;
  }
}

/** Sends the same signed bytes: the chain accepts them once. One send at a time, to spare a failing node. */
function createResender(client: ChainClient, bytes: string): () => void {
  let sending = false;
  const over = () => {
    sending = false;
  };
  return () => {
    if (sending) return;
    sending = true;
    // A rejection proves nothing about the network's state; following continues either way.
    client.send(bytes, true).then(over, over);
  };
}
