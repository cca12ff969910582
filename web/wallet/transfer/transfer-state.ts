import type { TransferPlan } from './transfer-check.ts';

/** A signed transfer, as it is followed. Holds no key: anyone may see it. */
export interface SentTransfer {
  from: string;
  to: string;
  /** Lamports, as text: it is kept as JSON. */
  lamports: string;
  signature: string;
  /** The signed transaction, base64. */
  bytes: string;
  lastValidBlockHeight: number;
  /** Whether a node has said that it took it. */
  accepted: boolean;
}

/**
 * Where a transfer stands. One confirmation makes one signature: only `confirming` leads to `signing`, and only
 * `signing` to a signed transfer.
 */
export type TransferState =
  | { phase: 'idle' }
  /** The user is asked. `problem`: why the key could not be had, e.g. a wrong password. */
  | { phase: 'confirming'; plan: TransferPlan; problem: string | null }
  | { phase: 'signing'; plan: TransferPlan }
  | { phase: 'sending'; sent: SentTransfer }
  /** The node took it: the chain's word is awaited. */
  | { phase: 'following'; sent: SentTransfer }
  /** Nobody knows whether the network took it; it is followed all the same. `why`: a sentence. */
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
  /** Found on disk: the page was left while it was under way, or another tab has sent one. */
  | { type: 'resumed'; sent: SentTransfer }
  | { type: 'forgotten' };

/** The next state. An event that has no place in the present one changes nothing: a second click, a late answer. */
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

/** It was signed, and its outcome is not known yet. */
export function isSent(state: TransferState): state is Sent {
  return state.phase === 'sending' || state.phase === 'following' || state.phase === 'unknown';
}

/** Nothing is under way: another transfer may begin. */
export function isAtRest(state: TransferState): boolean {
  return state.phase === 'idle' || state.phase === 'done' || state.phase === 'failed';
}
