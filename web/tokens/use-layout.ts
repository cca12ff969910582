import { type RefCallback, useMemo, useRef } from 'react';
import { useAtomValue } from '../store.ts';
import { isArmedAtom } from '../trading/quick/armed.ts';
import { FLAT, useMedia } from '../ui/use-media.ts';
import { useWidth } from '../ui/use-width.ts';
import { type Layout, layoutFor } from './columns.tsx';
import { columnsAtom, densityAtom } from './display/display.ts';

/**
 * Returns the layout of token rows for the width of an element. While quick trade is on it has room for buttons. The same
 * object while nothing about it changes.
 */
export function useRowLayout(): [RefCallback<HTMLElement>, Layout] {
  const [ref, width] = useWidth();
  const columns = useAtomValue(columnsAtom);
  const density = useAtomValue(densityAtom);
  const trading = useAtomValue(isArmedAtom);
  const flat = useMedia(FLAT);
  const layout = useMemo(
    () => layoutFor({ width, columns, density, trading, flat }),
    [width, columns, density, trading, flat],
  );
  const last = useRef(layout);
  if (JSON.stringify(last.current) !== JSON.stringify(layout)) last.current = layout;
  return [ref, last.current];
}
