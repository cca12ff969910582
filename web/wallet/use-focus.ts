import { type RefObject, useEffect, useRef } from 'react';

/**
 * Returns a ref for a button that is disabled while `working`. It regains the focus afterwards, unless another element has
 * it, so that keyboard users keep their place.
 */
export function useFocusAfter(working: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const worked = useRef<boolean>(false);
  useEffect(() => {
    if (!working && worked.current && document.activeElement === document.body) {
      button.current?.focus({ preventScroll: true });
    }
    worked.current = working;
  }, [working]);
  return button;
}
