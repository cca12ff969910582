import { useEffect } from 'react';
import { atom, useAtomValue, useSetAtom } from '../store.ts';

/** Storage key of the choice. web/public/theme.js reads the same key before the first paint. */
export const THEME_KEY = 'ui-theme';

export const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

const DEFAULT_THEME: Theme = 'dark';
/** Color of the browser's bar above the page. */
const ground = { dark: '#0a0d0f', light: '#f5f7f6' } as const;

const chosenAtom = atom<Theme | null>(null);

/** The chosen theme. Setting it stores it for the next visit. */
export const themeAtom = atom(
  (get) => get(chosenAtom) ?? storedTheme(),
  (_get, set, theme: Theme) => {
    set(chosenAtom, theme);
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // Storage may be full or disabled: the choice then lasts until the page is left.
    }
  },
);

function storedTheme(): Theme {
  try {
    return parseTheme(localStorage.getItem(THEME_KEY));
  } catch {
    // Storage is disabled, so nothing was stored.
    return DEFAULT_THEME;
  }
}

function parseTheme(value: string | null): Theme {
  return themes.find((theme) => theme === value) ?? DEFAULT_THEME;
}

/** Paints the page in the chosen theme, and follows the system and other tabs. Called once, at the root. */
export function useThemeOnPage(): void {
  const theme = useAtomValue(themeAtom);
  const choose = useSetAtom(chosenAtom);

  useEffect(() => {
    const system = window.matchMedia('(prefers-color-scheme: light)');
    const paint = () => paintTheme(theme === 'system' ? (system.matches ? 'light' : 'dark') : theme);
    paint();
    system.addEventListener('change', paint);
    return () => system.removeEventListener('change', paint);
  }, [theme]);

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === THEME_KEY) choose(parseTheme(event.newValue));
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [choose]);
}

function paintTheme(shown: 'light' | 'dark'): void {
  document.documentElement.dataset.theme = shown;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground[shown]);
}
