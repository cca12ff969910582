import type { ChainClient } from '../../chain/chain.ts';
import { ChainError, chainErrorReason, chainErrorText } from '../../chain/chain-error.ts';
import { followTransfer } from './follow-transfer.ts';
import type { PendingTransfer } from './pending-transfer.ts';
import type { TransferPlan } from './transfer-check.ts';
import {
  isSent,
  type SentTransfer,
  type TransferEvent,
  type TransferState,
  transferReducer,
} from './transfer-state.ts';

const EXPIRED =
  'Transaction failed: The network did not take it in time, and cannot any more. Nothing has left the wallet.';
const BY_ANOTHER_TAB =
  'Error creating transaction: Another tab has a transfer under way, which is shown here. Yours was not sent.';

export interface TransferFlowDeps {
  client: ChainClient;
  pending: PendingTransfer;
  /** Records a signed transfer on the server; repeating it changes nothing. */
  record(sent: SentTransfer): Promise<void>;
  /** Reads the balance again; never rejects. */
  rereadBalance(): Promise<void>;
  onDone(): void;
  /** @param message text of the 'Transfer Failed' toast after 'Failed to transfer funds: ' */
  onFailed(message: string): void;
  /** Epoch ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** One transfer at a time, from the confirmation to the chain's decision. */
export interface TransferFlow {
  state(): TransferState;
  subscribe(listener: () => void): () => void;
  /** Asks the user to confirm, unless a transfer is under way here or in another tab. */
  review(plan: TransferPlan): void;
  cancel(): void;
  /**
   * Signs and sends once: while a transfer is under way, a second call does nothing. `key` resolves with the private
   * key or rejects with
   * the error (a wrong password), and the confirmation stays open.
   */
  confirm(key: () => Promise<string>): Promise<void>;
  /** Stops following a transfer with an unknown outcome. It may still go through. */
  forget(): void;
  /** Resumes a transfer left under way. Returns the function that stops it; a send in progress still completes. */
  start(): () => void;
}

export function createTransferFlow(deps: TransferFlowDeps): TransferFlow {
  const { client, pending } = deps;
  const listeners = new Set<() => void>();
  let state: TransferState = { phase: 'idle' };
  /** The current run of `start`; a new object after each stop. */
  let run: object | null = null;

  function dispatch(event: TransferEvent): boolean {
    const next = transferReducer(state, event);
    if (next === state) return false;
    state = next;
    for (const listener of listeners) listener();
    return true;
  }

  /** Another tab, or this page before it was left, has a transfer under way: that one is shown instead. */
  function adopted(): boolean {
    const sent = isSent(state) ? null : pending.read();
    if (sent === null || !dispatch({ type: 'resumed', sent })) return false;
    void follow(sent);
    return true;
  }

  async function sign(plan: TransferPlan, privateKey: string): Promise<SentTransfer> {
    const built = client.transfer(plan);
    const block = await client.latestBlock();
    const signed = built.sign(block, privateKey);
    return { from: plan.from, to: plan.to, lamports: String(plan.lamports), accepted: false, ...signed };
  }

  function fail(message: string): void {
    if (dispatch({ type: 'failed', message })) deps.onFailed(message);
  }

  async function confirm(key: () => Promise<string>): Promise<void> {
    if (state.phase !== 'confirming') return;
    const { plan } = state;
    if (adopted()) return deps.onFailed(BY_ANOTHER_TAB);
    dispatch({ type: 'confirmed' });
    let privateKey: string;
    try {
      privateKey = await key();
    } catch (reason) {
      dispatch({ type: 'key-refused', problem: chainErrorText(reason) });
      return;
    }
    let sent: SentTransfer;
    try {
      sent = await sign(plan, privateKey);
    } catch (reason) {
      fail(`Error creating transaction: ${chainErrorText(reason)}`);
      return;
    }
    // The page was left before anything was sent: nothing is sent.
    if (run === null) return fail('Error creating transaction: The page was left.');
    // Another tab may have sent one while this one fetched the key and the blockhash.
    if (adopted()) return deps.onFailed(BY_ANOTHER_TAB);
    // Stored before sending: whatever happens from here on, the possibly sent transfer is known.
    pending.write(sent);
    dispatch({ type: 'signed', sent });
    const recorded = deps.record(sent).then(
      () => true,
      () => false,
    );
    if (!(await handOver(sent))) return;
    await follow(sent);
    // The first attempt to record it may have failed: without a retry the transaction would be missing from the list.
    if (!(await recorded)) await deps.record(sent).catch(() => undefined);
  }

  function accept(sent: SentTransfer): void {
    pending.write({ ...sent, accepted: true });
    dispatch({ type: 'accepted' });
  }

  /** False when the node has certainly not forwarded it. */
  async function handOver(sent: SentTransfer): Promise<boolean> {
    try {
      await client.send(sent.bytes);
      accept(sent);
    } catch (reason) {
      if (reason instanceof ChainError && reason.definite) {
        pending.clear(sent.signature);
        fail(`Transaction failed: ${reason.message}`);
        return false;
      }
      if (reason instanceof ChainError && reason.kind === 'processed') accept(sent);
      else dispatch({ type: 'lost', why: chainErrorReason(reason) });
    }
    return true;
  }

  async function follow(sent: SentTransfer): Promise<void> {
    const own = run;
    const outcome = await followTransfer(sent, {
      client,
      wanted: () => own !== null && run === own && isSent(state),
      uncertain: () => state.phase === 'unknown',
      onOverdue: (why) => state.phase !== 'unknown' && dispatch({ type: 'lost', why }),
      now: deps.now,
      sleep: deps.sleep,
    });
    if (outcome === null) return;
    pending.clear(sent.signature);
    switch (outcome.is) {
      case 'confirmed':
        await deps.rereadBalance();
        if (dispatch({ type: 'settled' })) deps.onDone();
        return;
      case 'failed':
        return fail(`Transaction failed: ${outcome.why}`);
      case 'expired':
        return fail(EXPIRED);
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    review(plan) {
      if (!adopted()) dispatch({ type: 'reviewed', plan });
    },
    cancel: () => void dispatch({ type: 'cancelled' }),
    confirm,
    forget() {
      const before = state;
      if (isSent(before) && dispatch({ type: 'forgotten' })) pending.clear(before.sent.signature);
    },
    start() {
      const own = {};
      run = own;
      if (isSent(state)) void follow(state.sent);
      else adopted();
      return () => {
        if (run === own) run = null;
      };
    },
  };
}
