import { type RefObject, useEffect, useRef } from 'react';

/** The field that is typed into first: focused as soon as its dialog opens. */
export function useFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}

/**
 * Returns focus to a button that was disabled during work, unless another element has it by then,
 * so that keyboard users continue where they were.
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
