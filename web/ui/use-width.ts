import { type RefCallback, useCallback, useState } from 'react';

/** Width before the first measurement, px: of a desktop. */
const FIRST_WIDTH = 1_280;

/** Returns the width of an element in px, not of the window: the sidebar takes its share. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(FIRST_WIDTH);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const measure = () => {
      // Without a width nothing is laid out yet.
      if (element.clientWidth > 0) setWidth(element.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
