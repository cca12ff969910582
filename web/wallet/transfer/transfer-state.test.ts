import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TransferPlan } from './transfer-check.ts';
import {
  isAtRest,
  isSent,
  type SentTransfer,
  type TransferEvent,
  type TransferState,
  transferReducer,
} from './transfer-state.ts';

const plan: TransferPlan = { from: 'a', to: 'b', lamports: 1n, fee: 5000n, left: 0n, warnings: [] };
const sent: SentTransfer = {
  from: 'a',
  to: 'b',
  lamports: '1',
  signature: 's',
  bytes: '',
  lastValidBlockHeight: 9,
  accepted: true,
};

const events: TransferEvent[] = [
  { type: 'reviewed', plan },
  { type: 'cancelled' },
  { type: 'confirmed' },
  { type: 'key-refused', problem: 'This is not your password.' },
  { type: 'signed', sent },
  { type: 'accepted' },
  { type: 'lost', why: 'The node is gone.' },
  { type: 'settled' },
  { type: 'failed', message: 'no' },
  { type: 'resumed', sent },
  { type: 'forgotten' },
];

function stateAfter(...types: TransferEvent['type'][]): TransferState {
  return types.reduce<TransferState>(
    (state, type) => transferReducer(state, events.find((event) => event.type === type) ?? { type: 'cancelled' }),
    { phase: 'idle' },
  );
}

describe('a transfer', () => {
  test('goes from the confirmation over the signature to the outcome on the chain', () => {
    expect(stateAfter('reviewed').phase).toBe('confirming');
    expect(stateAfter('reviewed', 'confirmed').phase).toBe('signing');
    expect(stateAfter('reviewed', 'confirmed', 'signed').phase).toBe('sending');
    expect(stateAfter('reviewed', 'confirmed', 'signed', 'accepted').phase).toBe('following');
    expect(stateAfter('reviewed', 'confirmed', 'signed', 'accepted', 'settled').phase).toBe('done');
  });

  test('with an unknown outcome is followed until it is known, or until the user stops it', () => {
    expect(stateAfter('reviewed', 'confirmed', 'signed', 'lost').phase).toBe('unknown');
    expect(stateAfter('reviewed', 'confirmed', 'signed', 'lost', 'settled').phase).toBe('done');
    expect(stateAfter('reviewed', 'confirmed', 'signed', 'lost', 'failed').phase).toBe('failed');
    expect(stateAfter('reviewed', 'confirmed', 'signed', 'lost', 'forgotten').phase).toBe('idle');
    expect(stateAfter('reviewed', 'confirmed', 'signed', 'lost', 'reviewed').phase).toBe('unknown');
  });

  test('left pending is resumed, also in place of a confirmation', () => {
    expect(stateAfter('resumed').phase).toBe('following');
    expect(stateAfter('reviewed', 'resumed').phase).toBe('following');
    // Another tab was faster, before this one has sent anything.
    expect(stateAfter('reviewed', 'confirmed', 'resumed').phase).toBe('following');
    const unaccepted = { ...sent, accepted: false };
    expect(transferReducer({ phase: 'idle' }, { type: 'resumed', sent: unaccepted }).phase).toBe('unknown');
  });

  const anyOrder = fc.array(fc.constantFrom(...events), { maxLength: 60 });

  /** Returns the events that changed the state. */
  function effectiveEvents(
    sequence: TransferEvent[],
  ): { type: TransferEvent['type']; before: TransferState; after: TransferState }[] {
    let state: TransferState = { phase: 'idle' };
    return sequence.flatMap((event) => {
      const before = state;
      state = transferReducer(before, event);
      return state === before ? [] : [{ type: event.type, before, after: state }];
    });
  }

  test('has at most one signature per confirmation, for any order of events', () => {
    fc.assert(
      fc.property(anyOrder, (sequence) => {
        const steps = effectiveEvents(sequence).filter(({ type }) =>
          ['confirmed', 'key-refused', 'signed'].includes(type),
        );
        steps.forEach(({ type }, at) => {
          if (type === 'signed') expect(steps[at - 1]?.type).toBe('confirmed');
        });
      }),
    );
  });

  test('is followed from its signature until its outcome is known or the user stops it', () => {
    fc.assert(
      fc.property(anyOrder, (sequence) => {
        for (const { type, before, after } of effectiveEvents(sequence)) {
          if (isSent(before) && !isSent(after)) expect(['settled', 'failed', 'forgotten']).toContain(type);
          if (type === 'reviewed') expect(isAtRest(before)).toBe(true);
        }
      }),
    );
  });
});
