import { useCallback, useSyncExternalStore } from 'react';

/** Windows with the menu as a bar at the bottom, as Tailwind's `max-md`. */
export const NARROW = '(max-width: 767.98px)';
/** A phone in landscape, or a window at 200 % zoom, as `flat` in styles/app.css. */
export const FLAT = '(max-height: 575.98px) and (min-width: 560px)';
/** Pages with two columns, as Tailwind's `xl`. */
export const WIDE = '(min-width: 1280px)';

/** Returns whether the window matches a media query, and follows it. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
