import type { ReactNode } from 'react';
import { BottomBar } from './bottom-bar.tsx';
import { Header } from './header.tsx';
import { Sidebar } from './sidebar.tsx';

/** Renders a page of the app between sidebar or bottom bar and header. The slots are for features that the layout does not know. */
export function Frame({
  headerActions,
  sidebarLink,
  moreLink,
  children,
}: {
  /** Stands in the header, before the state of the connection. */
  headerActions: ReactNode;
  /** Stands below the menu of the sidebar. */
  sidebarLink: ReactNode;
  /** The same link as an item of the menu 'More' on narrow screens. */
  moreLink: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only rounded-md bg-accent px-3 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60"
      >
        Skip to content
      </a>
      <Sidebar link={sidebarLink} />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header actions={headerActions} />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 p-4 outline-none max-md:p-3 max-md:pb-18">
          {children}
        </main>
      </div>
      <BottomBar link={moreLink} />
    </div>
  );
}
