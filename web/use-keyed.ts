import { useRef } from 'react';

/** Returns what `create` made for this key, and makes it again for another key: unlike `useMemo`, never for the same one. */
export function useKeyed<Made>(key: string, create: () => Made): Made {
  const held = useRef<{ key: string; made: Made } | null>(null);
  if (held.current?.key !== key) held.current = { key, made: create() };
  return held.current.made;
}
