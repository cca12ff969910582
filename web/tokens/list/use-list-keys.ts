import { type RefObject, useEffect, useRef } from 'react';
import { typesText } from '../../ui/typing.ts';

interface ListKeys {
  /** Absent without a search. */
  search?: RefObject<HTMLInputElement | null>;
  clearSearch?: () => void;
  /** Absent without a list to hold. */
  togglePause?: () => void;
  /** Moves to the next (1) or previous (-1) row; absent without rows below one another. */
  move?: (by: 1 | -1) => void;
  /** Moves to the next (1) or previous (-1) column; absent without columns. */
  across?: (by: 1 | -1) => void;
}

/**
 * Handles the keys of the list: `/` focuses the search, Esc clears it, Space pauses, j and k move, h and l between columns;
 * Enter opens the focused row.
 */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { search, clearSearch } = latest.current;
      if (event.key === 'Escape' && search !== undefined && document.activeElement === search.current) {
        clearSearch?.();
        search.current?.blur();
        return;
      }
      if (!typesText(event.target) && doKey(event, latest.current)) event.preventDefault();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Does what a key stands for, and returns whether it stands for anything here. */
function doKey({ key, target }: KeyboardEvent, { search, clearSearch, togglePause, move, across }: ListKeys): boolean {
  switch (key) {
    case '/':
      search?.current?.focus();
      search?.current?.select();
      return search !== undefined;
    case 'Escape':
      clearSearch?.();
      return clearSearch !== undefined;
    case ' ':
      // Space presses a control that has the focus.
      if (togglePause === undefined || pressesSpace(target)) return false;
      togglePause();
      return true;
    case 'j':
    case 'k':
      move?.(key === 'j' ? 1 : -1);
      return move !== undefined;
    case 'h':
    case 'l':
      across?.(key === 'l' ? 1 : -1);
      return across !== undefined;
    default:
      return false;
  }
}

function pressesSpace(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, [role="button"], [role="tab"], summary') !== null;
}
