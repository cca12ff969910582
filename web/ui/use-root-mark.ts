import { useLayoutEffect } from 'react';

/**
 * Marks the root of the page with an attribute while a component is shown, for styles of elements elsewhere. The browser would match
 * `:has()` against the whole page again whenever an element of a row is added. Null marks nothing.
 */
export function useRootMark(attribute: `data-${string}` | null): void {
  useLayoutEffect(() => {
    if (attribute === null) return;
    const root = document.documentElement;
    root.setAttribute(attribute, '');
    return () => root.removeAttribute(attribute);
  }, [attribute]);
}
