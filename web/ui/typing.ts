/** Returns whether keys pressed on the target type text there. */
export function typesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** Returns whether a key was pressed alone, outside of fields with text. */
export function isPlainKey(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !typesText(event.target);
}
