import { useSyncExternalStore } from 'react';

/** Width from which the page has two columns, as Tailwind's `xl`. */
const WIDE = '(min-width: 1280px)';

/** Returns whether the page has two columns, with room for the tape beside the tabs. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
