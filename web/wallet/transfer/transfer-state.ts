import type { TransferPlan } from './transfer-check.ts';

/** A signed transfer that is being followed. It holds no key and is safe to show. */
export interface SentTransfer {
  from: string;
  to: string;
  /** Lamports as text, since it is stored as JSON. */
  lamports: string;
  signature: string;
  /** The signed transaction, base64. */
  bytes: string;
  lastValidBlockHeight: number;
  /** Whether a node has accepted it. */
  accepted: boolean;
}

/**
 * State of a transfer. One confirmation makes one signature: only `confirming` leads to `signing`, and only
 * `signing` to a signed transfer.
 */
export type TransferState =
  | { phase: 'idle' }
  /** Awaits the user's confirmation. `problem`: why the key is unavailable, e.g. a wrong password. */
  | { phase: 'confirming'; plan: TransferPlan; problem: string | null }
  | { phase: 'signing'; plan: TransferPlan }
  | { phase: 'sending'; sent: SentTransfer }
  /** The node accepted it; awaits the chain's decision. */
  | { phase: 'following'; sent: SentTransfer }
  /** The network may or may not have it; it is followed all the same. `why`: a sentence. */
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
  /** Loaded from storage: the page was left while it was under way, or another tab sent it. */
  | { type: 'resumed'; sent: SentTransfer }
  | { type: 'forgotten' };

/** Returns the next state. An event that does not apply changes nothing: a second click, a late response. */
export function transferReducer(state: TransferState, event: TransferEvent): TransferState {
  switch (event.type) {
    case 'reviewed':
    case 'resumed':
      return begun(state, event);
    case 'cancelled':
    case 'confirmed':
      return answered(state, event.type);
    case 'key-refused':
    case 'signed':
      return signing(state, event);
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

const LEFT = 'The page was left before the network had answered.';

type Named<Type extends TransferEvent['type']> = Extract<TransferEvent, { type: Type }>;

function begun(state: TransferState, event: Named<'reviewed' | 'resumed'>): TransferState {
  if (event.type === 'reviewed') {
    return isAtRest(state) ? { phase: 'confirming', plan: event.plan, problem: null } : state;
  }
  if (isSent(state)) return state;
  const { sent } = event;
  return sent.accepted ? { phase: 'following', sent } : { phase: 'unknown', sent, why: LEFT };
}

function answered(state: TransferState, answer: 'cancelled' | 'confirmed'): TransferState {
  if (state.phase !== 'confirming') return state;
  return answer === 'cancelled' ? { phase: 'idle' } : { phase: 'signing', plan: state.plan };
}

function signing(state: TransferState, event: Named<'key-refused' | 'signed'>): TransferState {
  if (state.phase !== 'signing') return state;
  return event.type === 'signed'
    ? { phase: 'sending', sent: event.sent }
    : { phase: 'confirming', plan: state.plan, problem: event.problem };
}

type Sent = Extract<TransferState, { phase: 'sending' | 'following' | 'unknown' }>;

/** It was signed, and its outcome is still unknown. */
export function isSent(state: TransferState): state is Sent {
  return state.phase === 'sending' || state.phase === 'following' || state.phase === 'unknown';
}

/** No transfer is under way: another one may start. */
export function isAtRest(state: TransferState): boolean {
  return state.phase === 'idle' || state.phase === 'done' || state.phase === 'failed';
}
