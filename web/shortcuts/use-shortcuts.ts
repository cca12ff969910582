import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'wouter';
import { detailPath } from '../tokens/links.ts';
import { useNeighbours } from '../tokens/list/list-order.ts';
import { isPlainKey } from '../ui/typing.ts';
import { pageKeys } from './keys.ts';

/** Time within which the second key of a pair counts, ms. */
const PAIR_MS = 1_200;
const TOKEN_PAGE = /^\/app\/tokens\/([^/]+)$/;
const LIST_PAGE = '/app/tokens';

/** A dialog that a key opens. */
export type ShortcutDialog = 'help' | 'palette';

/** Handles the keys that work on every signed-in page. Called once, around the pages. */
export function useShortcuts(open: (dialog: ShortcutDialog) => void): void {
  const [path, go] = useLocation();
  const pairAt = useRef(Number.NEGATIVE_INFINITY);
  // Pages opened in this tab so far: after a direct visit there is none to return to.
  const visited = useRef(0);
  useEffect(() => {
    if (path !== '') visited.current += 1;
  }, [path]);

  const neighbours = useNeighbours(TOKEN_PAGE.exec(path)?.[1] ?? null);

  const stepInList = (key: string): boolean => {
    const address = (key === '[' && neighbours?.previous) || (key === ']' && neighbours?.next) || null;
    // In place of the present page, so that Escape leads to the list.
    if (address !== null) go(detailPath(address), { replace: true });
    return address !== null;
  };

  /** Returns whether the key meant something. */
  const press = useEffectEvent((event: KeyboardEvent): boolean => {
    if (opensPalette(event)) {
      open('palette');
      return true;
    }
    // A held key would mount a page at each of its repeats.
    if (event.repeat || !isPlainKey(event) || hasModal()) return false;
    if (event.timeStamp - pairAt.current <= PAIR_MS) {
      pairAt.current = Number.NEGATIVE_INFINITY;
      const page = pageKeys[event.key];
      if (page !== undefined) go(page);
      return page !== undefined;
    }
    switch (event.key) {
      case 'g':
        pairAt.current = event.timeStamp;
        return true;
      case '?':
        open('help');
        return true;
      case 'Escape':
        if (event.shiftKey || !TOKEN_PAGE.test(path)) return false;
        if (visited.current > 1) history.back();
        else go(LIST_PAGE);
        return true;
      default:
        return stepInList(event.key);
    }
  });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && press(event)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Ctrl K, or ⌘ K on a Mac. */
function opensPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

const MODAL = '[role=dialog]:not([aria-modal=false]), [role=alertdialog], [role=menu], [role=listbox]';

/** Returns whether a modal dialog or a menu is open, which has its own keys. */
function hasModal(): boolean {
  return document.querySelector(MODAL) !== null;
}
