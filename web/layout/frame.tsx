import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { statsAtom } from '../live/atoms/atoms.ts';
import { ConnectionState } from '../live/hooks/connection-state.tsx';
import { useAtomValue, useSetAtom } from '../store.ts';
import { Badge } from '../ui/badge.tsx';
import { utcTime } from '../ui/format.ts';
import { BottomBar } from './bottom-bar.tsx';
import { headerSlotAtom } from './header-slot.tsx';
import { PAGE_CONTENT_ID, pageTitleAtom } from './page-title.ts';
import { Sidebar } from './sidebar.tsx';

const TITLE_ID = 'page-title';

/** Renders a page of the app between sidebar or bottom bar and header. The slots are for features that the layout does not know. */
export function Frame(props: {
  /** Stands in the header, before the state of the connection. */
  headerActions: ReactNode;
  /** Stands below the menu of the sidebar. */
  sidebarLink: ReactNode;
  /** The same link as an item of the menu 'More' on narrow screens. */
  moreLink: ReactNode;
  children: ReactNode;
}) {
  const { headerActions, sidebarLink, moreLink, children } = props;
  return (
    <div className="flex min-h-dvh">
      <a
        href={`#${PAGE_CONTENT_ID}`}
        className="sr-only rounded-md bg-accent px-3 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60"
      >
        Skip to content
      </a>
      <Sidebar link={sidebarLink} />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header actions={headerActions} />
        <main
          id={PAGE_CONTENT_ID}
          tabIndex={-1}
          aria-labelledby={TITLE_ID}
          className="min-w-0 flex-1 p-4 outline-none in-data-quick-bar:pb-18 max-md:p-3 max-md:pb-18 max-md:in-data-quick-bar:pb-32 flat:pt-1.5!"
        >
          {children}
        </main>
      </div>
      <BottomBar link={moreLink} />
    </div>
  );
}

/** Shows the page's title and search, the market, and how current the data is. */
function Header({ actions }: { actions: ReactNode }) {
  const title = useAtomValue(pageTitleAtom);
  const setSlot = useSetAtom(headerSlotAtom);
  return (
    <header className="sticky top-0 z-30 flex min-h-12 flex-wrap items-center gap-x-4 border-line border-b bg-bg px-4 max-md:gap-x-2 max-md:px-3 flat:min-h-10">
      {/* On narrow screens a long title takes two lines beside the controls. */}
      <h1
        id={TITLE_ID}
        className="line-clamp-2 min-w-0 font-semibold text-xl tracking-tight max-md:flex-1 max-md:basis-0 max-md:text-lg max-md:leading-5 md:line-clamp-1 md:max-w-[40%] flat:flex-none!"
      >
        {title}
      </h1>
      {/* Beside the title where there is room, on its own line on a phone; no line while no page fills it. */}
      <div
        ref={setSlot}
        className="min-w-0 max-w-96 flex-1 max-md:order-last max-md:max-w-none max-md:basis-full max-md:pb-2 max-md:empty:hidden flat:order-none! flat:basis-0! flat:pb-0!"
      />
      <div className="ml-auto flex h-[47px] flat:h-[39px] shrink-0 items-center gap-3 max-md:gap-2">
        <SolRate />
        <MarketBadge />
        {actions}
        <ConnectionState />
      </div>
    </header>
  );
}

/** Shows that the market is simulated; renders nothing while that is unknown. */
function MarketBadge() {
  const stats = useAtomValue(statsAtom);
  if (stats?.simulated !== true) return null;
  return (
    <span className="inline-flex" title="These tokens are made by the simulator. They exist on no chain.">
      <Badge tone="warning" icon={<FlaskConical size={12} strokeWidth={1.75} aria-hidden="true" />}>
        {/* On narrow screens the icon alone: the page title needs the room, and each row has the same mark. */}
        <span className="max-sm:sr-only">Simulated market</span>
      </Badge>
    </span>
  );
}

/** Shows the dollar rate of SOL, with its source and time. */
function SolRate() {
  const stats = useAtomValue(statsAtom);
  const rate = stats?.solUsd;
  if (rate == null) return null;
  return (
    <span
      className="text-muted text-xs tabular-nums max-lg:hidden"
      title={`1 SOL in US dollars, by ${rate.source} at ${utcTime(rate.at)}`}
    >
      SOL <span className="font-medium text-text">${rate.rate.toFixed(2)}</span>
    </span>
  );
}
