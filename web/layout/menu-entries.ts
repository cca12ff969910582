import {
  ArrowLeftRight,
  Bot,
  ChartColumn,
  Coins,
  Crosshair,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Settings,
  ShieldCheck,
  Wallet,
} from 'lucide-react';
import { useIsAdmin } from '../auth/session.ts';

export interface MenuEntry {
  label: string;
  /** Shorter, for the bar of narrow screens. */
  short?: string;
  /** Stands in that bar itself; the others are in its 'More'. */
  inBar: boolean;
  href: string;
  icon: LucideIcon;
  /** Only this very path is the entry's page; otherwise everything below it is as well. */
  exact: boolean;
  /** Only administrators have it in their menu. */
  adminOnly?: true;
}

/** The menu, in the specification's order. A further page adds its line here. */
const menuEntries: readonly MenuEntry[] = [
  { label: 'Dashboard', inBar: true, href: '/app', icon: LayoutDashboard, exact: true },
  { label: 'Tokens', inBar: true, href: '/app/tokens', icon: Coins, exact: false },
  { label: 'Auto-Buy Rules', short: 'Rules', inBar: true, href: '/app/auto-buy', icon: ListChecks, exact: true },
  {
    label: 'Auto-Buy Strategies',
    short: 'Strategies',
    inBar: true,
    href: '/app/auto-buy-strategies',
    icon: Crosshair,
    exact: true,
  },
  { label: 'Transactions', inBar: false, href: '/app/transactions', icon: ArrowLeftRight, exact: true },
  { label: 'Wallet', inBar: true, href: '/app/wallet', icon: Wallet, exact: true },
  { label: 'Settings', inBar: false, href: '/app/settings', icon: Settings, exact: true },
  { label: 'Admin', inBar: false, href: '/app/admin', icon: ShieldCheck, exact: false, adminOnly: true },
  { label: 'Diagnostics', inBar: false, href: '/app/diagnostics', icon: ChartColumn, exact: true, adminOnly: true },
  { label: 'Telegram Status', inBar: false, href: '/app/telegram-status', icon: Bot, exact: true, adminOnly: true },
];

/** The menu of who is signed in; it follows at once when they become an administrator, or are one no more. */
export function useMenu(): readonly MenuEntry[] {
  const isAdmin = useIsAdmin();
  return isAdmin ? menuEntries : menuEntries.filter((entry) => entry.adminOnly !== true);
}

/** Whether `path` is shown under this entry. */
export function isCurrent(entry: MenuEntry, path: string): boolean {
  return path === entry.href || (!entry.exact && path.startsWith(`${entry.href}/`));
}
