import { atom } from '../store.ts';

const KEY = 'ui-sidebar';
/** Below this width the sidebar starts collapsed, because tables need the room. */
const ROOMY = '(min-width: 1100px)';

const chosenAtom = atom<boolean | null>(null);

/** Whether the sidebar shows icons only; stored for the next visit. */
export const sidebarCollapsedAtom = atom(
  (get) => get(chosenAtom) ?? initiallyCollapsed(),
  (_get, set, collapsed: boolean) => {
    set(chosenAtom, collapsed);
    try {
      localStorage.setItem(KEY, collapsed ? 'collapsed' : 'expanded');
    } catch {
      // Storage may be full or disabled: the choice then lasts until the page is left.
    }
  },
);

function initiallyCollapsed(): boolean {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept !== null) return kept === 'collapsed';
  } catch {
    // Storage is disabled, so nothing was stored.
  }
  return !window.matchMedia(ROOMY).matches;
}
