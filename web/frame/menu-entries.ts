import {
  ArrowLeftRight,
  Coins,
  Crosshair,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Settings,
  Wallet,
} from 'lucide-react';

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
}

/** The menu, in the specification's order. A page of a later part adds its line here. */
export const menuEntries: readonly MenuEntry[] = [
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
];

/** Whether `path` is shown under this entry. */
export function isCurrent(entry: MenuEntry, path: string): boolean {
  return path === entry.href || (!entry.exact && path.startsWith(`${entry.href}/`));
}
