import { type RefCallback, useCallback, useState } from 'react';
import { useAtomValue } from '../store.ts';
import { isArmedAtom } from '../trading/quick/armed.ts';
import { type Layout, layoutFor, tradingLayouts, type WidthLayout } from './columns.tsx';

/** Returns the layout for the width of an element, not of the window: the sidebar takes its share. */
export function useLayout(): [RefCallback<HTMLElement>, WidthLayout] {
  const [layout, setLayout] = useState<WidthLayout>('wide');
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const measure = () => {
      // Without a width nothing is laid out yet.
      if (element.clientWidth > 0) setLayout(layoutFor(element.clientWidth));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, layout];
}

/** Returns the layout of token rows for the width of an element, with room for buttons while quick trade is on. */
export function useRowLayout(): [RefCallback<HTMLElement>, Layout] {
  const [ref, layout] = useLayout();
  const isArmed = useAtomValue(isArmedAtom);
  return [ref, isArmed ? tradingLayouts[layout] : layout];
}
