import type { z } from 'zod';
import { atom } from './store.ts';

/** Creates an atom whose value is kept on the device; `initial` before the first choice, and when the kept value is no longer valid. */
export function keptAtom<Value>(key: string, schema: z.ZodType<Value>, initial: Value) {
  const chosen = atom<{ value: Value } | null>(null);
  return atom(
    (get) => get(chosen)?.value ?? read(key, schema) ?? initial,
    (_get, set, value: Value) => {
      set(chosen, { value });
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        // Storage may be full or disabled: the choice then lasts until the page is left.
      }
    },
  );
}

function read<Value>(key: string, schema: z.ZodType<Value>): Value | null {
  try {
    const kept = localStorage.getItem(key);
    return kept === null ? null : (schema.safeParse(JSON.parse(kept)).data ?? null);
  } catch {
    // Storage is disabled, or another program has written the value.
    return null;
  }
}
