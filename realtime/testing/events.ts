import { base58Of } from '../../common/testing/base58.ts';
import { tokenOf } from '../../common/testing/tokens.ts';
import type { FeedEvent } from '../feed-log/feed-log.ts';

/** Returns a well-formed address, a different one for every number. */
export function addressOf(number: number): string {
  return base58Of(number, 40);
}

/** Returns a tick in which one token changed its price. */
export function updateOf(number: number): FeedEvent {
  const patch = { address: addressOf(number), number: number + 1, version: number + 1, price: 0.000001 * (number + 1) };
  return { event: 'token-updates', payload: { at: 1_700_000_000_000 + number, solUsd: null, patches: [patch] } };
}

/** Returns a tick of about `bytes` bytes on the wire. */
export function largeUpdate(number: number, bytes: number): FeedEvent {
  const patches = [{ address: addressOf(number), number: number + 1, version: number + 1, name: 'x'.repeat(bytes) }];
  return { event: 'token-updates', payload: { at: 1_700_000_000_000 + number, solUsd: null, patches } };
}

/** Returns one of each event of the numbered feed. */
export function oneOfEach(): FeedEvent[] {
  return [
    { event: 'new-token', payload: { token: tokenOf(1) } },
    updateOf(1),
    { event: 'runner', payload: { token: tokenOf(1), active: true } },
    { event: 'might-run', payload: { token: tokenOf(1), active: false } },
    { event: 'tokens-removed', payload: { addresses: [addressOf(1)] } },
    { event: 'tokens-removed', payload: { all: true } },
  ];
}
