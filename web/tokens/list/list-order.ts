import { atom, useAtomValue, useStore } from '../../store.ts';

/** Addresses of the list that the last token was opened from, in their order at that moment; empty after a reload. */
const orderAtom = atom<readonly string[]>([]);

/** The tokens beside one in the list that it was opened from; null at its ends. `place`: from 1. */
export interface Neighbours {
  previous: string | null;
  next: string | null;
  place: number;
  of: number;
}

/** Returns the handlers of the element around a list: a click on the link of a row keeps the order of the list. */
export function useOrderKeeper(rows: readonly string[]) {
  const store = useStore();
  return {
    onClick({ target }: { target: EventTarget }) {
      if (target instanceof Element && target.closest('[data-row-link]') !== null) store.set(orderAtom, rows);
    },
  };
}

/** Returns the neighbours of a token; null when it was not opened from a list in this tab. */
export function useNeighbours(address: string | null): Neighbours | null {
  return neighboursIn(useAtomValue(orderAtom), address);
}

function neighboursIn(order: readonly string[], address: string | null): Neighbours | null {
  const at = address === null ? -1 : order.indexOf(address);
  if (at < 0) return null;
  return { previous: order[at - 1] ?? null, next: order[at + 1] ?? null, place: at + 1, of: order.length };
}
