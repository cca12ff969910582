import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Calls `onMove` when an element may have moved on the page: a part above it moves it by changing the size of an element around both.
 * A measurement at each render would have the browser lay out the page each time.
 */
export function useMoved(element: RefObject<HTMLElement | null>, onMove: () => void): void {
  const move = useEffectEvent(onMove);
  useEffect(() => {
    const observer = new ResizeObserver(() => move());
    for (let around = element.current?.parentElement; around; around = around.parentElement) observer.observe(around);
    return () => observer.disconnect();
  }, [element]);
}
