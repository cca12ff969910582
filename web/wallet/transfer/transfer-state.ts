import type { TransferPlan } from './transfer-check.ts';

/** A signed transfer. It contains no key and is not secret. */
export interface SentTransfer {
  from: string;
  to: string;
  /** Lamports, as text because it is stored as JSON. */
  lamports: string;
  signature: string;
  /** The signed transaction, base64. */
  bytes: string;
  lastValidBlockHeight: number;
  /** Whether a node has accepted it. */
  accepted: boolean;
}

/** State of a transfer. One confirmation makes one signature: only `confirming` leads to `signing`, and only that to a sent one. */
export type TransferState =
  | { phase: 'idle' }
  /** Waiting for the user. `problem`: why the last attempt to get the key failed, e.g. a wrong password. */
  | { phase: 'confirming'; plan: TransferPlan; problem: string | null }
  | { phase: 'signing'; plan: TransferPlan }
  | { phase: 'sending'; sent: SentTransfer }
  /** Accepted by the node, waiting for confirmation by the chain. */
  | { phase: 'following'; sent: SentTransfer }
  /** Unknown whether the network has it; it is still followed. `why`: a sentence. */
  | { phase: 'unknown'; sent: SentTransfer; why: string }
  | { phase: 'done'; sent: SentTransfer }
  | { phase: 'failed'; message: string };

export type TransferEvent =
  | { type: 'reviewed'; plan: TransferPlan }
  | { type: 'cancelled' }
  | { type: 'confirmed' }
  | { type: 'key-refused'; problem: string }
  | { type: 'signed'; sent: SentTransfer }
  | { type: 'accepted' }
  | { type: 'lost'; why: string }
  | { type: 'settled' }
  | { type: 'failed'; message: string }
  /** Found in storage, left pending by an earlier visit or another tab. */
  | { type: 'resumed'; sent: SentTransfer }
  | { type: 'forgotten' };

/** Returns the next state. An event that is not valid in the current one, e.g. a second click, changes nothing. */
export function transferReducer(state: TransferState, event: TransferEvent): TransferState {
  switch (event.type) {
    case 'reviewed':
    case 'resumed':
      return afterStart(state, event);
    case 'cancelled':
    case 'confirmed':
      return afterDecision(state, event.type);
    case 'key-refused':
    case 'signed':
      return afterSigning(state, event);
    case 'accepted':
      return state.phase === 'sending' ? { phase: 'following', sent: { ...state.sent, accepted: true } } : state;
    case 'lost':
      return isSent(state) ? { phase: 'unknown', sent: state.sent, why: event.why } : state;
    case 'settled':
      return isSent(state) ? { phase: 'done', sent: state.sent } : state;
    case 'failed':
      return isSent(state) || state.phase === 'signing' ? { phase: 'failed', message: event.message } : state;
    case 'forgotten':
      return state.phase === 'unknown' ? { phase: 'idle' } : state;
  }
}

const LEFT = 'The page was left before the network had responded.';

type EventOf<Type extends TransferEvent['type']> = Extract<TransferEvent, { type: Type }>;

function afterStart(state: TransferState, event: EventOf<'reviewed' | 'resumed'>): TransferState {
  if (event.type === 'reviewed') {
    return isAtRest(state) ? { phase: 'confirming', plan: event.plan, problem: null } : state;
  }
  if (isSent(state)) return state;
  const { sent } = event;
  return sent.accepted ? { phase: 'following', sent } : { phase: 'unknown', sent, why: LEFT };
}

function afterDecision(state: TransferState, decision: 'cancelled' | 'confirmed'): TransferState {
  if (state.phase !== 'confirming') return state;
  return decision === 'cancelled' ? { phase: 'idle' } : { phase: 'signing', plan: state.plan };
}

function afterSigning(state: TransferState, event: EventOf<'key-refused' | 'signed'>): TransferState {
  if (state.phase !== 'signing') return state;
  return event.type === 'signed'
    ? { phase: 'sending', sent: event.sent }
    : { phase: 'confirming', plan: state.plan, problem: event.problem };
}

type Sent = Extract<TransferState, { phase: 'sending' | 'following' | 'unknown' }>;

/** Returns whether it was signed and its outcome is open. */
export function isSent(state: TransferState): state is Sent {
  return state.phase === 'sending' || state.phase === 'following' || state.phase === 'unknown';
}

/** Returns whether no transfer is pending, so that another one can start. */
export function isAtRest(state: TransferState): boolean {
  return state.phase === 'idle' || state.phase === 'done' || state.phase === 'failed';
}
