import { RotateCw, Search } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { SEARCH_MAX } from '../../../common/tokens/http.ts';
import { HeaderSlot } from '../../layout/header-slot.tsx';
import { statsAtom } from '../../live/atoms/atoms.ts';
import { clockAtom } from '../../live/atoms/clock.ts';
import { useAtomValue } from '../../store.ts';
import { QuickSwitch } from '../../trading/quick/quick-switch.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Input } from '../../ui/field.tsx';
import { age, count } from '../../ui/format.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { NARROW, useMedia } from '../../ui/use-media.ts';
import { BlacklistNote } from '../blacklist-note.tsx';
import { ViewSwitch } from '../board/view-switch.tsx';
import { NewPill, type Stand } from '../motion/new-pill.tsx';
import { type FilterName, filterNames } from './filters.ts';
import { ListBar } from './list-bar.tsx';
import type { Sorting } from './table-head.tsx';
import { DisplayButton, FiltersButton, PauseButton } from './toolbar-buttons.tsx';

interface ToolbarProps {
  subtitle: string;
  /** Time of the server's latest filter, search or order; null without one. */
  checkedAt: number | null;
  filter: FilterName;
  onFilter: (filter: FilterName) => void;
  /** Number of limits that the filter drawer sets. */
  limited: number;
  /** Whether the drawer is open. */
  filtering: boolean;
  onFiltering: () => void;
  paused: boolean;
  onPause: () => void;
  held: boolean;
  /** What the table would show on request; null without anything. */
  news: Stand | null;
  onShowNew: () => void;
  refreshing: boolean;
  onRefresh: () => void;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  presets: ReactNode;
}

/** Shows the count, the filters and presets, and buttons for the list: on a narrow screen most of them at the bottom. */
export function ListToolbar(props: ToolbarProps) {
  const { subtitle, checkedAt, filter, onFilter, refreshing, onRefresh } = props;
  const isNarrow = useMedia(NARROW);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="text-muted lg:min-w-[14ch] text-sm tabular-nums" aria-live="off">
        {subtitle}
      </p>
      {checkedAt !== null && <Checked at={checkedAt} />}
      {/* One line that scrolls where there is little height. */}
      <div className="contents flat:scroll-quiet flat:order-last flat:flex flat:w-full flat:items-center flat:gap-2 flat:overflow-x-auto">
        <span className="flex min-w-0 max-w-full items-center gap-2 max-md:order-last max-md:w-full flat:w-auto! flat:max-w-none! flat:shrink-0">
          <NamedFilters filter={filter} onFilter={onFilter} />
          {!isNarrow && <FiltersButton {...props} />}
        </span>
        <div className="order-last flex w-full min-w-0 items-center gap-x-3 flat:w-auto flat:shrink-0">
          <div className="min-w-0 flex-1 flat:flex-none">{props.presets}</div>
          <BlacklistNote brief />
        </div>
      </div>
      <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-2">
        {!isNarrow && <Held {...props} />}
        <QuickSwitch />
        {!isNarrow && <DisplayButton />}
        <ViewSwitch view="list" />
        {!isNarrow && <PauseButton {...props} />}
        <RefreshButton refreshing={refreshing} onRefresh={onRefresh} />
      </div>
      {isNarrow && (
        <ListBar {...props}>
          <Held {...props} />
        </ListBar>
      )}
    </div>
  );
}

/** Shows that the list is held, or what it would show on request. Always rendered, so that nothing moves with its text. */
function Held({ news, onShowNew, held, paused }: Pick<ToolbarProps, 'news' | 'onShowNew' | 'held' | 'paused'>) {
  return (
    <span className="flex justify-end md:min-w-24" role="status">
      {news !== null ? (
        <NewPill stand={news} onShow={onShowNew} />
      ) : (
        held && <span className="animate-fade-in text-muted text-xs">{paused ? 'Paused' : 'Held still'}</span>
      )}
    </span>
  );
}

export function RefreshButton({ refreshing, onRefresh }: Pick<ToolbarProps, 'refreshing' | 'onRefresh'>) {
  return (
    <Tooltip content="Fetch the list again">
      <Button size="icon" variant="ghost" onClick={onRefresh} busy={refreshing} aria-label="Refresh">
        <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
      </Button>
    </Tooltip>
  );
}

/** Shows how old the server's order is: events update loaded rows at once, others come in with the next response. */
function Checked({ at }: { at: number }) {
  const now = useAtomValue(clockAtom);
  return (
    <span
      className="min-w-[12ch] text-faint text-xs tabular-nums"
      title="Loaded rows are live. Tokens that are not loaded are compared on the server every 5 seconds."
    >
      checked {age(Math.min(at, now), now)} ago
    </span>
  );
}

/** Shows the named filters with their counts. `filter`: null presses none. */
export function NamedFilters(props: { filter: FilterName | null; onFilter: (filter: FilterName) => void }) {
  const { filter, onFilter } = props;
  const stats = useAtomValue(statsAtom);
  const counts: Partial<Record<FilterName, number>> = stats
    ? { New: stats.newLastHour, Runners: stats.runners, 'Might Run': stats.mightRun }
    : {};
  return (
    <fieldset className="scroll-quiet flex min-w-0 gap-1 max-md:flex-1 overflow-x-auto rounded-md border border-line bg-surface p-0.5">
      <legend className="sr-only">Which tokens</legend>
      {filterNames.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={filter === name}
          onClick={() => onFilter(name)}
          className={classNames(
            'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-sm px-2.5 font-medium text-xs transition-colors',
            filter === name ? 'bg-text/8 text-text' : 'text-muted hover:text-text',
          )}
        >
          {name}
          {counts[name] !== undefined && (
            <span className="text-2xs text-muted tabular-nums" aria-hidden="true">
              {count(counts[name])}
            </span>
          )}
        </button>
      ))}
    </fieldset>
  );
}

export function ListSearch(props: {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  onText: (text: string) => void;
}) {
  const { input, text, onText } = props;
  return (
    <HeaderSlot>
      <search className="relative block w-full">
        <Input
          ref={input}
          icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
          type="search"
          value={text}
          maxLength={SEARCH_MAX}
          onChange={(event) => onText(event.target.value)}
          placeholder="Search by name, symbol, or address..."
          aria-label="Search by name, symbol, or address"
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          className="h-8 pr-9 [&::-webkit-search-cancel-button]:hidden"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-2 my-auto grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong px-1 text-2xs text-muted max-md:hidden"
        >
          {text === '' ? '/' : 'Esc'}
        </span>
      </search>
    </HeaderSlot>
  );
}
