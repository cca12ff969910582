import { LogOut, PanelLeftClose, PanelLeftOpen, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { logout } from '../auth/logout.ts';
import { sessionAtom } from '../auth/session.ts';
import { useAtom, useAtomValue, useStore } from '../store.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Logo, Wordmark } from '../ui/logo.tsx';
import { Menu, MenuLink } from '../ui/menu.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { isCurrent, type MenuEntry, useMenu } from './menu-entries.ts';
import { sidebarCollapsedAtom } from './sidebar-state.ts';
import { themeAtom } from './theme.ts';
import { ThemeMenuItems, ThemeToggle, themeIcons } from './theme-toggle.tsx';

/** Logo, menu, theme and user at the left of every page of the app, from 768 px on. `link` stands below the menu. */
export function Sidebar({ link }: { link: ReactNode }) {
  const [collapsed, setCollapsed] = useAtom(sidebarCollapsedAtom);
  const entries = useMenu();
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose;
  const toggleLabel = collapsed ? 'Expand sidebar' : 'Collapse sidebar';
  return (
    <aside
      aria-label="Sidebar"
      className={classNames(
        'scroll-quiet sticky top-0 flex h-dvh shrink-0 flex-col overflow-y-auto border-line border-r bg-surface max-md:hidden',
        collapsed ? 'w-14' : 'w-54',
      )}
    >
      <Link
        href="/app"
        aria-label="Mintwatch, to the dashboard"
        className={classNames(
          'flex h-12 shrink-0 items-center border-line border-b focus-visible:-outline-offset-2',
          collapsed ? 'justify-center' : 'px-4',
        )}
      >
        {collapsed ? <Logo /> : <Wordmark />}
      </Link>
      <nav aria-label="Main" className="scroll-quiet flex min-h-24 flex-1 flex-col gap-0.5 overflow-y-auto p-2">
        {entries.map((entry) => (
          <SidebarLink key={entry.href} entry={entry} collapsed={collapsed} />
        ))}
      </nav>
      <div className={classNames('flex shrink-0 flex-col gap-2 border-line border-t p-2', collapsed && 'items-center')}>
        {link}
        <WhenCollapsed collapsed={collapsed} label={toggleLabel}>
          <Button
            variant="ghost"
            size={collapsed ? 'icon' : 'sm'}
            aria-label={toggleLabel}
            aria-expanded={!collapsed}
            onClick={() => setCollapsed(!collapsed)}
            className={classNames(!collapsed && 'justify-start')}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {!collapsed && 'Collapse'}
          </Button>
        </WhenCollapsed>
        {collapsed ? <ThemeMenu /> : <ThemeToggle />}
        <UserLine collapsed={collapsed} />
      </div>
    </aside>
  );
}

function SidebarLink({ entry, collapsed }: { entry: MenuEntry; collapsed: boolean }) {
  const [path] = useLocation();
  const current = isCurrent(entry, path);
  return (
    <WhenCollapsed collapsed={collapsed} label={entry.label}>
      <Link
        href={entry.href}
        {...(collapsed ? { 'aria-label': entry.label } : {})}
        {...(current ? { 'aria-current': 'page' as const } : {})}
        className={classNames(
          'relative flex h-9 shrink-0 items-center gap-3 rounded-md font-medium text-sm transition-colors',
          collapsed ? 'justify-center' : 'px-3',
          current
            ? 'bg-accent/10 text-text before:absolute before:inset-y-2 before:-left-2 before:w-0.5 before:rounded-r-full before:bg-accent'
            : 'text-muted hover:bg-text/6 hover:text-text',
        )}
      >
        <entry.icon size={16} strokeWidth={1.75} aria-hidden="true" className={current ? 'text-accent' : ''} />
        {!collapsed && entry.label}
      </Link>
    </WhenCollapsed>
  );
}

const SETTINGS = '/app/settings?tab=telegram';

/** Links to the product's bot in Telegram; without a bot (null), to the settings, which show that there is none. */
export function SidebarBotLink({ address }: { address: string | null }) {
  const collapsed = useAtomValue(sidebarCollapsedAtom);
  const look = classNames(
    'flex h-8 items-center gap-2 rounded-md font-medium text-muted text-xs hover:bg-text/6 hover:text-text',
    collapsed ? 'w-8 justify-center' : 'px-2.5',
  );
  const content = (
    <>
      <Send size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={collapsed ? 'sr-only' : ''}>Telegram bot</span>
    </>
  );
  return (
    <WhenCollapsed collapsed={collapsed} label="Telegram bot">
      {address === null ? (
        <Link href={SETTINGS} className={look}>
          {content}
        </Link>
      ) : (
        <a href={address} target="_blank" rel="noreferrer" className={look}>
          {content}
        </a>
      )}
    </WhenCollapsed>
  );
}

/** The same link as a menu item. */
export function MenuBotLink({ address }: { address: string | null }) {
  const icon = <Send size={16} strokeWidth={1.75} aria-hidden="true" />;
  return (
    <MenuLink href={address ?? SETTINGS} newTab={address !== null} icon={icon}>
      Telegram bot
    </MenuLink>
  );
}

function ThemeMenu() {
  const theme = useAtomValue(themeAtom);
  return (
    <Menu
      side="right"
      trigger={
        <Button variant="ghost" size="icon" aria-label="Theme" title="Theme">
          {themeIcons[theme]}
        </Button>
      }
    >
      <ThemeMenuItems />
    </Menu>
  );
}

function UserLine({ collapsed }: { collapsed: boolean }) {
  const session = useAtomValue(sessionAtom);
  const store = useStore();
  if (session === null || session === 'unknown') return null;
  return (
    <div className={classNames('flex items-center gap-2', collapsed ? 'flex-col' : 'pl-1')}>
      {!collapsed && (
        <>
          <UserMark name={session.username} />
          <span className="min-w-0 flex-1 truncate font-medium text-sm" title={session.username}>
            {session.username}
          </span>
          {session.isAdmin && <Badge>Admin</Badge>}
        </>
      )}
      <Tooltip content="Log out" side="right">
        <Button variant="ghost" size="icon" aria-label="Log out" onClick={() => void logout(store)}>
          <LogOut size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </Tooltip>
    </div>
  );
}

/** Shows the first letter of a name as a small mark. */
function UserMark({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-6 shrink-0 place-items-center rounded-full bg-accent/12 font-semibold text-2xs text-accent uppercase"
    >
      {Array.from(name)[0]}
    </span>
  );
}

/** Adds a tooltip while only the icon is visible. */
function WhenCollapsed({ collapsed, label, children }: { collapsed: boolean; label: string; children: ReactNode }) {
  if (!collapsed) return children;
  return (
    <Tooltip content={label} side="right">
      {children}
    </Tooltip>
  );
}
