import { Coins, LayoutDashboard, type LucideIcon } from 'lucide-react';

export interface MenuEntry {
  label: string;
  href: string;
  icon: LucideIcon;
  /** Only this very path is the entry's page; otherwise everything below it is as well. */
  exact: boolean;
}

/** The menu, in the specification's order. A page of a later part adds its line here. */
export const menuEntries: readonly MenuEntry[] = [
  { label: 'Dashboard', href: '/app', icon: LayoutDashboard, exact: true },
  { label: 'Tokens', href: '/app/tokens', icon: Coins, exact: false },
];

/** Whether `path` is shown under this entry. */
export function isCurrent(entry: MenuEntry, path: string): boolean {
  return path === entry.href || (!entry.exact && path.startsWith(`${entry.href}/`));
}
