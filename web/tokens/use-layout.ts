import { type RefCallback, useCallback, useState } from 'react';
import { type Layout, layoutFor } from './columns.tsx';

/** The layout for the width an element has; it follows the element, not the window, for the sidebar takes its share. */
export function useLayout(): [RefCallback<HTMLElement>, Layout] {
  const [layout, setLayout] = useState<Layout>('wide');
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const measure = () => {
      // No width means that nothing is laid out (yet).
      if (element.clientWidth > 0) setLayout(layoutFor(element.clientWidth));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, layout];
}
