import { type RefObject, useEffect, useRef } from 'react';
import { typesText } from '../../ui/typing.ts';

interface ListKeys {
  search: RefObject<HTMLInputElement | null>;
  clearSearch: () => void;
  togglePause: () => void;
  /** Moves to the next (1) or previous (-1) row. */
  move: (by: 1 | -1) => void;
}

/**
 * Handles the keys of the list: `/` focuses the search, Esc clears it, Space pauses, j and k move; Enter opens the
 * focused row.
 */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { search, clearSearch, togglePause, move } = latest.current;
      if (event.key === 'Escape' && document.activeElement === search.current) {
        clearSearch();
        search.current?.blur();
        return;
      }
      if (typesText(event.target)) return;
      switch (event.key) {
        case '/':
          search.current?.focus();
          search.current?.select();
          break;
        case 'Escape':
          clearSearch();
          break;
        case ' ':
          // Space presses a control that has the focus.
          if (pressesSpace(event.target)) return;
          togglePause();
          break;
        case 'j':
          move(1);
          break;
        case 'k':
          move(-1);
          break;
        default:
          return;
      }
      event.preventDefault();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function pressesSpace(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, [role="button"], [role="tab"], summary') !== null;
}
