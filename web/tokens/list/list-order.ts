import { type RefObject, useEffect, useRef } from 'react';
import { PAGE_CONTENT_ID } from '../../layout/page-title.ts';
import { atom, useAtomValue, useStore } from '../../store.ts';

/** Addresses of the list that the last token was opened from, in their order at that moment; empty after a reload. */
const orderAtom = atom<readonly string[]>([]);
/** Token that was last opened with the keyboard, whose row takes the focus again; null after one opened otherwise. */
const openedAtom = atom<string | null>(null);

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
    onClick({ target, detail }: { target: EventTarget; detail: number }) {
      if (!(target instanceof Element) || target.closest('[data-row-link]') === null) return;
      store.set(orderAtom, rows);
      const opened = target.closest('[data-address]')?.getAttribute('data-address') ?? null;
      // A click without a button of a mouse is the Enter key.
      store.set(openedAtom, detail === 0 ? opened : null);
    },
  };
}

/** Moves the focus, once the list has rows, to the one that the user returns from with the keyboard. */
export function useFocusReturn(list: RefObject<HTMLElement | null>): void {
  const store = useStore();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || !list.current?.querySelector('[data-row-link]')) return;
    isDone.current = true;
    const opened = store.get(openedAtom);
    const { activeElement } = document;
    if (opened === null || (activeElement !== document.body && activeElement?.id !== PAGE_CONTENT_ID)) return;
    const row = list.current.querySelector(`[data-address="${CSS.escape(opened)}"]`);
    const link = row?.querySelector<HTMLElement>('[data-row-link]');
    if (!link) return;
    link.focus({ preventScroll: true });
    store.set(openedAtom, null);
  });
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
