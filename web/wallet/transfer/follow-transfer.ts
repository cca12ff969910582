import { type ChainClient, confirmTimeout, type SignatureStatus } from '../../chain/chain.ts';
import { chainErrorReason } from '../../chain/chain-error.ts';
import { hearSignature } from './signature-subscription.ts';
import type { SentTransfer } from './transfer-state.ts';

/** How often a transfer is asked after, beside the node's own word, ms; after failures twice as long each time. */
const ASK_EVERY_MS = 2_000;
const ASK_EVERY_MAX_MS = 15_000;
/** Nodes behind one address may lag: only when the transfer is missing twice beyond its last block, it can't come any more. */
const MISSING_BEYOND_EXPIRY = 2;

const TIMED_OUT = 'The network has not confirmed it within 30 seconds.';

/** What became of a transfer. `expired`: its last block has passed without it, so it can't come any more. */
export type Outcome = { is: 'confirmed' | 'expired' } | { is: 'failed'; why: string };

export interface FollowDeps {
  client: ChainClient;
  /** Whether to go on. */
  wanted(): boolean;
  /** Whether it is unknown if the network has it: then the same bytes are sent again. */
  uncertain(): boolean;
  /** It takes longer than it should; called each time it is found out. */
  onOverdue(why: string): void;
  /** Epoch ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Asks after a signature until the chain has decided, or can't any more. Null when it was no longer wanted before. */
export async function followTransfer(sent: SentTransfer, deps: FollowDeps): Promise<Outcome | null> {
  const deadline = deps.now() + confirmTimeout('confirmed');
  const heard = hearSignature(deps.client, sent.signature);
  const sendAgain = createResender(deps.client, sent.bytes);
  let missing = 0;
  let pause = ASK_EVERY_MS;
  const overdue = (why: string) => deps.now() >= deadline && deps.onOverdue(why);

  /** The outcome, null while there is none. */
  async function ask(): Promise<Outcome | null> {
    const status = heard.status ?? (await deps.client.status(sent.signature));
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
      await Promise.race([deps.sleep(pause), heard.promise]);
    }
    return null;
  } finally {
    heard.stop();
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

/** Sends the same signed bytes: the chain takes them once, however often they come. One at a time, for a node in trouble. */
function createResender(client: ChainClient, bytes: string): () => void {
  let sending = false;
  const over = () => {
    sending = false;
  };
  return () => {
    if (sending) return;
    sending = true;
    // A refusal says nothing about what the network has; following goes on either way.
    client.send(bytes, true).then(over, over);
  };
}
