import { Monitor, Moon, Sun } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useAtom } from '../store.ts';
import { MenuChoice } from '../ui/menu.tsx';
import { type Theme, themeAtom, themes } from './theme.ts';

const labels: Record<Theme, string> = { light: 'Light', dark: 'Dark', system: 'System' };

export const themeIcons: Record<Theme, ReactNode> = {
  light: <Sun size={16} strokeWidth={1.75} aria-hidden="true" />,
  dark: <Moon size={16} strokeWidth={1.75} aria-hidden="true" />,
  system: <Monitor size={16} strokeWidth={1.75} aria-hidden="true" />,
};

/** Offers Light, Dark and System side by side. */
export function ThemeToggle() {
  const [theme, setTheme] = useAtom(themeAtom);
  const name = useId();
  return (
    <fieldset className="grid grid-cols-3 rounded-md border border-line bg-bg p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map((one) => (
        <label
          key={one}
          className="flex h-7 cursor-pointer items-center justify-center gap-1.5 rounded-sm text-muted text-xs transition-colors hover:text-text has-checked:bg-raised has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent light:has-checked:bg-line"
        >
          <input
            type="radio"
            className="sr-only"
            name={name}
            value={one}
            checked={theme === one}
            onChange={() => setTheme(one)}
          />
          {labels[one]}
        </label>
      ))}
    </fieldset>
  );
}

/** Offers the same choice within a menu. */
export function ThemeMenuItems() {
  const [theme, setTheme] = useAtom(themeAtom);
  const options = themes.map((one) => ({ value: one, label: labels[one], icon: themeIcons[one] }));
  return <MenuChoice label="Theme" value={theme} options={options} onChange={setTheme} />;
}
