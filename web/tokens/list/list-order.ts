import { type RefObject, useEffect, useRef } from 'react';
import { PAGE_CONTENT_ID } from '../../layout/page-title.ts';
import { atom, type Store, useAtomValue, useStore } from '../../store.ts';

/** Addresses of the list that the last token was opened from, in their order at that moment; empty after a reload. */
const orderAtom = atom<readonly string[]>([]);
/** The row that takes the focus when the user comes back by key: its list and its token; null for a user of the mouse. */
const returnAtom = atom<{ list: string; address: string } | null>(null);

/** The tokens beside one in the list that it was opened from; null at its ends. `place`: from 1. */
export interface Neighbours {
  previous: string | null;
  next: string | null;
  place: number;
  of: number;
}

/**
 * Returns the handlers of the element around a list: a click on the link of a row keeps the order of the list. `list` names
 * it among the lists of the product.
 */
export function useOrderKeeper(list: string, rows: readonly string[]) {
  const store = useStore();
  return {
    onClick({ target, detail, ctrlKey, metaKey, shiftKey }: OrderClick) {
      // With one of these keys the token opens beside this page.
      if (!(target instanceof Element) || ctrlKey || metaKey || shiftKey) return;
      if (target.closest('[data-row-link]') === null) return;
      store.set(orderAtom, rows);
      const address = target.closest('[data-address]')?.getAttribute('data-address') ?? null;
      // The Enter key clicks without a button of a mouse.
      store.set(returnAtom, detail === 0 && address !== null ? { list, address } : null);
    },
  };
}

interface OrderClick {
  target: EventTarget;
  detail: number;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** Returns the handlers of the page of a token, to whose row keys lead back; a press of the pointer there ends that. */
export function useReturnRow(address: string) {
  const store = useStore();
  useEffect(() => store.set(returnAtom, (row) => row && { ...row, address }), [store, address]);
  return { onPointerDown: () => store.set(returnAtom, null) };
}

/** A list that is shown again. `scrollTo` renders the row of a place; absent where all are rendered. */
interface ReturnedList {
  list: string;
  element: RefObject<HTMLElement | null>;
  rows: readonly string[];
  scrollTo?: (index: number) => void;
}

/** Moves the focus, once the list has rows, to the row of the token that the user comes back from by key. */
export function useFocusReturn({ list, element, rows, scrollTo }: ReturnedList): void {
  const store = useStore();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || rows.length === 0) return;
    isDone.current = true;
    const address = takeReturn(store, list);
    const index = address === null ? -1 : rows.indexOf(address);
    if (address === null || index < 0) return;
    scrollTo?.(index);
    // The scroll has rendered the row, and the width its layout, before the next frame.
    requestAnimationFrame(() => {
      if (!isFocusFree()) return;
      const row = element.current?.querySelector(`[data-address="${CSS.escape(address)}"]`);
      row?.querySelector<HTMLElement>('[data-row-link]')?.focus({ preventScroll: true });
    });
  }, [store, list, element, rows, scrollTo]);
}

/** Returns the token whose row of this list takes the focus, once; null without one. */
function takeReturn(store: Store, list: string): string | null {
  const row = store.get(returnAtom);
  if (row === null || row.list !== list) return null;
  store.set(returnAtom, null);
  return isFocusFree() ? row.address : null;
}

/** Returns whether nothing of the page has the focus. */
function isFocusFree(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.id === PAGE_CONTENT_ID;
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
