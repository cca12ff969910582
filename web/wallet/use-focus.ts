import { type RefObject, useEffect, useRef } from 'react';

/** The field that is typed into first: it has the focus as soon as its dialog opens. */
export function useFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
