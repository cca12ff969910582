/** Returns whether keys pressed on the target type text there. */
export function typesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

const SIGN = /^[\p{P}\p{S}]$/u;

/**
 * Returns whether a key was pressed alone, outside of fields with text. Alt may help to type a sign such as `[`: many keyboards have it
 * on AltGr, which Windows reports as Ctrl with Alt, or on Option.
 */
export function isPlainKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const isAlone = SIGN.test(key) ? !ctrlKey || altKey : !ctrlKey && !altKey;
  return isAlone && !metaKey && !typesText(target);
}
