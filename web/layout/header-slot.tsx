import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { atom, useAtomValue } from '../store.ts';

/** Element of the header for a page's search; null until it is mounted. */
export const headerSlotAtom = atom<HTMLElement | null>(null);

/** Renders a page's search in the header. Without the frame (in a test of one page) it is rendered in place. */
export function HeaderSlot({ children }: { children: ReactNode }) {
  const slot = useAtomValue(headerSlotAtom);
  return slot === null ? children : createPortal(children, slot);
}
