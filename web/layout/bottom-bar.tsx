import { Ellipsis, LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { logout } from '../auth/logout.ts';
import { sessionAtom } from '../auth/session.ts';
import { useAtomValue, useStore } from '../store.ts';
import { classNames } from '../ui/class-names.ts';
import { Menu, MenuItem, MenuLabel, MenuLine, MenuLink } from '../ui/menu.tsx';
import { isCurrent, useMenu } from './menu-entries.ts';
import { ThemeMenuItems } from './theme-toggle.tsx';

const entryClass =
  'flex min-w-0 flex-auto flex-col items-center justify-center gap-0.5 text-2xs font-medium tracking-tight focus-visible:-outline-offset-2';

/** Shows the menu below the page on narrow screens. `link`: an item of 'More' below its pages. */
export function BottomBar({ link }: { link: ReactNode }) {
  const [path] = useLocation();
  const session = useAtomValue(sessionAtom);
  const store = useStore();
  const entries = useMenu();
  const beyond = entries.filter((entry) => !entry.inBar);
  const isBeyond = beyond.some((entry) => isCurrent(entry, path));
  return (
    <nav
      aria-label="Bottom"
      className="fixed inset-x-0 bottom-0 z-40 flex h-14 flat:h-11 border-line border-t bg-surface px-1 pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {entries
        .filter((entry) => entry.inBar)
        .map((entry) => {
          const current = isCurrent(entry, path);
          return (
            <Link
              key={entry.href}
              href={entry.href}
              {...(entry.short === undefined ? {} : { 'aria-label': entry.label })}
              {...(current ? { 'aria-current': 'page' as const } : {})}
              className={classNames(entryClass, current ? 'text-accent' : 'text-muted')}
            >
              <entry.icon size={20} strokeWidth={1.75} aria-hidden="true" />
              {entry.short ?? entry.label}
            </Link>
          );
        })}
      <Menu
        trigger={
          <button
            type="button"
            className={classNames(entryClass, isBeyond ? 'text-accent' : 'text-muted data-[state=open]:text-text')}
          >
            <Ellipsis size={20} strokeWidth={1.75} aria-hidden="true" />
            More
          </button>
        }
      >
        {session !== null && session !== 'unknown' && <MenuLabel>Signed in as {session.username}</MenuLabel>}
        {beyond.map((entry) => (
          <MenuLink
            key={entry.href}
            href={entry.href}
            current={isCurrent(entry, path)}
            icon={<entry.icon size={16} strokeWidth={1.75} aria-hidden="true" />}
          >
            {entry.label}
          </MenuLink>
        ))}
        {link}
        <MenuLine />
        <ThemeMenuItems />
        <MenuLine />
        <MenuItem icon={<LogOut size={16} strokeWidth={1.75} aria-hidden="true" />} onSelect={() => void logout(store)}>
          Log out
        </MenuItem>
      </Menu>
    </nav>
  );
}
