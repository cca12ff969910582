import { NOT_TAKEN, type Refusal, refusalTexts } from '../../../common/transactions/failure.ts';
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

const EXPIRED = `Transaction failed: ${NOT_TAKEN}`;
const OTHER_TAB =
  'Error creating transaction: Another tab has a transfer under way, which is shown here. Yours was not sent.';

interface TransferFlowDeps {
  client: ChainClient;
  pending: PendingTransfer;
  /** Reports a signed transfer to the server, later also why a node refused it; idempotent. */
  record(sent: SentTransfer, refusal?: Refusal): Promise<void>;
  /** Fetches the balance; never rejects. */
  reloadBalance(): Promise<void>;
  onDone(): void;
  /** @param message text of the 'Transfer Failed' toast after 'Failed to transfer funds: ' */
  onFailed(message: string): void;
  /** Epoch ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** One transfer at a time, from the confirmation to the outcome on the chain. */
export interface TransferFlow {
  state(): TransferState;
  subscribe(listener: () => void): () => void;
  /** Asks the user to confirm the plan, unless a transfer is pending, here or in another tab. */
  review(plan: TransferPlan): void;
  cancel(): void;
  /**
   * Signs and sends once; a second call while one runs does nothing. `key` resolves with the private key. When it rejects,
   * e.g. for a wrong password, the confirmation stays open with the error.
   */
  confirm(key: () => Promise<string>): Promise<void>;
  /** Stops following a transfer with an unknown outcome. It may still go through. */
  forget(): void;
  /** Resumes a pending transfer. Returns a function that stops following; a transfer being sent is still sent. */
  start(): () => void;
}

interface Flow {
  readonly deps: TransferFlowDeps;
  readonly listeners: Set<() => void>;
  state: TransferState;
  /** Identity of the current `start`; null while stopped. */
  run: object | null;
}

export function createTransferFlow(deps: TransferFlowDeps): TransferFlow {
  const flow: Flow = { deps, listeners: new Set(), state: { phase: 'idle' }, run: null };
  return {
    state: () => flow.state,
    subscribe(listener) {
      flow.listeners.add(listener);
      return () => flow.listeners.delete(listener);
    },
    review(plan) {
      if (!resumePending(flow)) dispatch(flow, { type: 'reviewed', plan });
    },
    cancel: () => void dispatch(flow, { type: 'cancelled' }),
    confirm: (key) => confirm(flow, key),
    forget() {
      const before = flow.state;
      if (isSent(before) && dispatch(flow, { type: 'forgotten' })) deps.pending.clear(before.sent.signature);
    },
    start() {
      const run = {};
      flow.run = run;
      if (isSent(flow.state)) void follow(flow, flow.state.sent);
      else resumePending(flow);
      return () => {
        if (flow.run === run) flow.run = null;
      };
    },
  };
}

/** Applies an event. Returns false when it is not valid in the current state. */
function dispatch(flow: Flow, event: TransferEvent): boolean {
  const next = transferReducer(flow.state, event);
  if (next === flow.state) return false;
  flow.state = next;
  for (const listener of flow.listeners) listener();
  return true;
}

function fail(flow: Flow, message: string): void {
  if (dispatch(flow, { type: 'failed', message })) flow.deps.onFailed(message);
}

/** Follows a transfer that another tab, or an earlier visit of this page, has left pending. Returns false without one. */
function resumePending(flow: Flow): boolean {
  const sent = isSent(flow.state) ? null : flow.deps.pending.read();
  if (sent === null || !dispatch(flow, { type: 'resumed', sent })) return false;
  void follow(flow, sent);
  return true;
}

async function confirm(flow: Flow, key: () => Promise<string>): Promise<void> {
  if (flow.state.phase !== 'confirming') return;
  const { deps } = flow;
  const { plan } = flow.state;
  if (resumePending(flow)) return deps.onFailed(OTHER_TAB);
  dispatch(flow, { type: 'confirmed' });
  const sent = await signPlan(flow, plan, key);
  if (sent === null) return;
  // The page was closed before anything was sent, so the user would not see the outcome: nothing is sent.
  if (flow.run === null) return fail(flow, 'Error creating transaction: The page was left.');
  // Another tab may have sent a transfer during the requests for the key and the blockhash.
  if (resumePending(flow)) return deps.onFailed(OTHER_TAB);
  // Stored before sending, so that a transfer that may have gone out is always known.
  deps.pending.write(sent);
  dispatch(flow, { type: 'signed', sent });
  const recorded = deps.record(sent).then(
    () => true,
    () => false,
  );
  const refusal = await submit(flow, sent);
  if (refusal !== null) {
    // In this order, so that the refusal finds the transaction recorded.
    await recorded;
    await deps.record(sent, refusal).catch(() => undefined);
    return;
  }
  await follow(flow, sent);
  // Retried once, as the transaction would otherwise be missing from the list.
  if (!(await recorded)) await deps.record(sent).catch(() => undefined);
}

/** Returns the signed transfer; null when the key or the signature failed, which the state then shows. */
async function signPlan(flow: Flow, plan: TransferPlan, key: () => Promise<string>): Promise<SentTransfer | null> {
  let privateKey: string;
  try {
    privateKey = await key();
  } catch (reason) {
    dispatch(flow, { type: 'key-refused', problem: chainErrorText(reason) });
    return null;
  }
  try {
    const built = flow.deps.client.transfer(plan);
    const signed = built.sign(await flow.deps.client.latestBlock(), privateKey);
    return { from: plan.from, to: plan.to, lamports: String(plan.lamports), accepted: false, ...signed };
  } catch (reason) {
    fail(flow, `Error creating transaction: ${chainErrorText(reason)}`);
    return null;
  }
}

/** Sends the transfer. Returns the refusal of a node that has certainly not forwarded it, otherwise null. */
async function submit(flow: Flow, sent: SentTransfer): Promise<Refusal | null> {
  const { client, pending } = flow.deps;
  try {
    await client.send(sent.bytes);
    accept(flow, sent);
  } catch (reason) {
    const refusal = reason instanceof ChainError ? reason.refusal : null;
    if (refusal !== null) {
      pending.clear(sent.signature);
      fail(flow, `Transaction failed: ${refusalTexts[refusal]}`);
      return refusal;
    }
    if (reason instanceof ChainError && reason.kind === 'processed') accept(flow, sent);
    else dispatch(flow, { type: 'lost', why: chainErrorReason(reason) });
  }
  return null;
}

function accept(flow: Flow, sent: SentTransfer): void {
  flow.deps.pending.write({ ...sent, accepted: true });
  dispatch(flow, { type: 'accepted' });
}

/** Follows the transfer to its outcome, unless the flow is stopped or restarted before. */
async function follow(flow: Flow, sent: SentTransfer): Promise<void> {
  const { deps, run } = flow;
  const outcome = await followTransfer(sent, {
    client: deps.client,
    isActive: () => run !== null && flow.run === run && isSent(flow.state),
    isUncertain: () => flow.state.phase === 'unknown',
    onOverdue: (why) => flow.state.phase !== 'unknown' && dispatch(flow, { type: 'lost', why }),
    now: deps.now,
    sleep: deps.sleep,
  });
  if (outcome === null) return;
  deps.pending.clear(sent.signature);
  switch (outcome.is) {
    case 'confirmed':
      await deps.reloadBalance();
      if (dispatch(flow, { type: 'settled' })) deps.onDone();
      return;
    case 'failed':
      return fail(flow, `Transaction failed: ${outcome.why}`);
    case 'expired':
      return fail(flow, EXPIRED);
  }
}
