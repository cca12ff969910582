import type { Decision } from '../../common/decisions/model.ts';
import { atom, type Store } from '../store.ts';
import { type Keyed, withLatest } from '../trading/state/versions.ts';

/** Answers kept from events. A fetch has the others. */
const KEPT_MAX = 200;

/** Answers of the user's plans received by events, by id, the newest last. */
export const receivedDecisionsAtom = atom<Keyed<Decision>>(new Map());

export function receiveDecision(store: Store, decision: Decision): void {
  store.set(receivedDecisionsAtom, (known) => withLatest(known, decision.id, decision, KEPT_MAX));
}

/** Forgets everything, when another user signs in. */
export function forgetDecisions(store: Store): void {
  store.set(receivedDecisionsAtom, new Map());
}

/** Returns fetched answers, newest first, merged with the ones received since. `isShown`: which of them belong to the list. */
export function withReceived(
  fetched: readonly Decision[],
  received: Keyed<Decision>,
  isShown: (decision: Decision) => boolean,
): Decision[] {
  const known = new Set(fetched.map(({ id }) => id));
  const newest = fetched[0]?.id ?? '';
  const added = [...received.values()].filter((one) => isShown(one) && !known.has(one.id) && one.id > newest);
  const changed = fetched.map((one) => {
    const other = received.get(one.id);
    return other !== undefined && other.lastAt > one.lastAt ? other : one;
  });
  return [...added.sort((one, other) => (one.id < other.id ? 1 : -1)), ...changed];
}
