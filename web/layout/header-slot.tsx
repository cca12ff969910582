import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { atom, useAtomValue } from '../store.ts';

/** The header's free place, once it is on the page. */
export const headerSlotAtom = atom<HTMLElement | null>(null);

/** Puts a page's search into the header. Outside the frame (in a test of one page) it stays where it is written. */
export function HeaderSlot({ children }: { children: ReactNode }) {
  const slot = useAtomValue(headerSlotAtom);
  return slot === null ? children : createPortal(children, slot);
}
