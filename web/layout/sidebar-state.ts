import { atom } from '../store.ts';

const KEY = 'ui-sidebar';
/** Below this width the sidebar starts collapsed: the tables need the room. */
const ROOMY = '(min-width: 1100px)';

const chosenAtom = atom<boolean | null>(null);

/** Whether the sidebar shows icons only; kept for the next visit. */
export const sidebarCollapsedAtom = atom(
  (get) => get(chosenAtom) ?? initiallyCollapsed(),
  (_get, set, collapsed: boolean) => {
    set(chosenAtom, collapsed);
    try {
      localStorage.setItem(KEY, collapsed ? 'collapsed' : 'expanded');
    } catch {
      // Storage may be full or forbidden: the choice then holds until the page is left.
    }
  },
);

function initiallyCollapsed(): boolean {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept !== null) return kept === 'collapsed';
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
  return !window.matchMedia(ROOMY).matches;
}
