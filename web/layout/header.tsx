import type { ReactNode } from 'react';
import { ConnectionState } from '../live/hooks/connection-state.tsx';
import { useAtomValue, useSetAtom } from '../store.ts';
import { headerSlotAtom } from './header-slot.tsx';
import { MarketBadge, SolRate } from './market-badge.tsx';
import { pageTitleAtom } from './page-title.ts';

/** Shows the page's title and search, the market, and how current the data is. */
export function Header({ actions }: { actions: ReactNode }) {
  const title = useAtomValue(pageTitleAtom);
  const setSlot = useSetAtom(headerSlotAtom);
  return (
    <header className="sticky top-0 z-30 flex min-h-12 flex-wrap items-center gap-x-4 border-line border-b bg-bg px-4 max-md:px-3">
      <h1 className="min-w-0 truncate font-semibold text-xl tracking-tight max-md:flex-1 max-md:basis-0 max-md:text-lg md:max-w-[40%]">
        {title}
      </h1>
      {/* Beside the title where there is room, on its own line below 768 px; no line while no page fills it. */}
      <div
        ref={setSlot}
        className="min-w-0 max-w-96 flex-1 max-md:order-last max-md:max-w-none max-md:basis-full max-md:pb-2 max-md:empty:hidden"
      />
      <div className="ml-auto flex h-[47px] shrink-0 items-center gap-3 max-md:gap-2">
        <SolRate />
        <MarketBadge />
        {actions}
        <ConnectionState />
      </div>
    </header>
  );
}
