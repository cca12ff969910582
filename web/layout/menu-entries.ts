import {
  ArrowLeftRight,
  Bot,
  ChartColumn,
  Coins,
  Crosshair,
  History,
  Layers,
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
  /** Shorter label, for the bar of narrow screens. */
  short?: string;
  /** Whether it is in that bar; the others are under 'More'. */
  inBar: boolean;
  href: string;
  icon: LucideIcon;
  /** Whether the entry matches this path alone, and not the paths below it. */
  exact: boolean;
  /** Visible to administrators only. */
  adminOnly?: true;
}

/** Menu in the order of the specification. A new page adds its line here. */
const menuEntries: readonly MenuEntry[] = [
  { label: 'Dashboard', inBar: true, href: '/app', icon: LayoutDashboard, exact: true },
  { label: 'Tokens', inBar: true, href: '/app/tokens', icon: Coins, exact: false },
  { label: 'Auto-Buy Rules', short: 'Rules', inBar: true, href: '/app/auto-buy', icon: ListChecks, exact: true },
  { label: 'Auto-Buy Strategies', inBar: false, href: '/app/auto-buy-strategies', icon: Crosshair, exact: true },
  { label: 'Transactions', inBar: false, href: '/app/transactions', icon: ArrowLeftRight, exact: true },
  { label: 'Positions', inBar: true, href: '/app/positions', icon: Layers, exact: true },
  { label: 'Replay', inBar: false, href: '/app/replay', icon: History, exact: true },
  { label: 'Wallet', inBar: true, href: '/app/wallet', icon: Wallet, exact: true },
  { label: 'Settings', inBar: false, href: '/app/settings', icon: Settings, exact: true },
  { label: 'Admin', inBar: false, href: '/app/admin', icon: ShieldCheck, exact: false, adminOnly: true },
  { label: 'Diagnostics', inBar: false, href: '/app/diagnostics', icon: ChartColumn, exact: true, adminOnly: true },
  { label: 'Telegram Status', inBar: false, href: '/app/telegram-status', icon: Bot, exact: true, adminOnly: true },
];

/** Returns the menu of the signed-in user; follows a change of administrator rights at once. */
export function useMenu(): readonly MenuEntry[] {
  const isAdmin = useIsAdmin();
  return isAdmin ? menuEntries : menuEntries.filter((entry) => entry.adminOnly !== true);
}

/** Whether `path` is shown under this entry. */
export function isCurrent(entry: MenuEntry, path: string): boolean {
  return path === entry.href || (!entry.exact && path.startsWith(`${entry.href}/`));
}
