import { type RefObject, useEffect, useRef } from 'react';

/** The field that is typed into first: it has the focus as soon as its dialog opens. */
export function useFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}

/**
 * A button that is disabled during work has the focus when the work is over, unless something else has it by then: whoever
 * works by keyboard goes on where they were.
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
