import { type ChainClient, confirmTimeout } from '../../chain/chain.ts';
import { chainErrorReason } from '../../chain/chain-error.ts';
import { subscribeSignature } from './signature-subscription.ts';
import type { SentTransfer } from './transfer-state.ts';

/** Poll interval beside the subscription, ms; doubled after each failure up to the maximum. */
const POLL_MS = 2_000;
const POLL_MAX_MS = 15_000;
/** Nodes behind one address may lag, so a transfer has expired only when it is missing twice after its last block. */
const MISSING_BEYOND_EXPIRY = 2;

const TIMED_OUT = 'The network has not confirmed it within 30 seconds.';

/** Outcome of a transfer. `expired`: its last block has passed without it, so it can no longer be confirmed. */
type Outcome = { is: 'confirmed' | 'expired' } | { is: 'failed'; why: string };

interface FollowDeps {
  client: ChainClient;
  /** Returns false to stop following. */
  isActive(): boolean;
  /** Returns true while it is unknown whether the network has the transfer, which is then sent again. */
  isUncertain(): boolean;
  /** Called on every poll after the confirmation timeout. */
  onOverdue(why: string): void;
  /** Epoch ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Polls a signature until its outcome is final. Resolves with null when `isActive` turned false before. */
export async function followTransfer(sent: SentTransfer, deps: FollowDeps): Promise<Outcome | null> {
  const deadline = deps.now() + confirmTimeout('confirmed');
  const subscription = subscribeSignature(deps.client, sent.signature);
  const resend = createResender(deps.client, sent.bytes);
  let missing = 0;
  let pause = POLL_MS;
  const reportOverdue = (why: string) => deps.now() >= deadline && deps.onOverdue(why);

  /** Returns null while there is no outcome. */
  async function poll(): Promise<Outcome | null> {
    const status = subscription.status ?? (await deps.client.status(sent.signature));
    if (status.is === 'confirmed') return { is: 'confirmed' };
    if (status.is === 'failed') return status;
    const expired = status.is === 'unseen' && (await deps.client.blockHeight()) > sent.lastValidBlockHeight;
    missing = expired ? missing + 1 : 0;
    return missing < MISSING_BEYOND_EXPIRY ? null : { is: 'expired' };
  }

  try {
    while (deps.isActive()) {
      try {
        const outcome = await poll();
        if (outcome !== null) return outcome;
        pause = POLL_MS;
        reportOverdue(TIMED_OUT);
      } catch (reason) {
        pause = Math.min(2 * pause, POLL_MAX_MS);
        reportOverdue(chainErrorReason(reason));
      }
      if (deps.isUncertain() && missing === 0) resend();
      await Promise.race([deps.sleep(pause), subscription.promise]);
    }
    return null;
  } finally {
    subscription.stop();
  }
}

/** Resends the signed bytes, which the chain accepts only once. One request at a time, to spare a node in trouble. */
function createResender(client: ChainClient, bytes: string): () => void {
  let sending = false;
  const onEnd = () => {
    sending = false;
  };
  return () => {
    if (sending) return;
    sending = true;
    // A rejection does not show whether the network has the transfer, so following continues either way.
    client.send(bytes, true).then(onEnd, onEnd);
  };
}
