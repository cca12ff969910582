import { Plus } from 'lucide-react';
import { type RefObject, useMemo, useRef, useState } from 'react';
import { counted } from '../../../common/counted.ts';
import { readyPresets } from '../../../common/presets/model.ts';
import { statsAtom } from '../../live/atoms/atoms.ts';
import { pollEvery } from '../../live/connection/polling.ts';
import { StaleNote } from '../../live/hooks/stale-note.tsx';
import { useList } from '../../live/hooks/use-list.ts';
import { useLiveMarket } from '../../live/live.ts';
import { queryClientAtom, useAtom, useAtomValue } from '../../store.ts';
import { QuickSwitch } from '../../trading/quick/quick-switch.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useRowKeys } from '../actions/row-keys.ts';
import { moved } from '../display/display-dialog.tsx';
import { paramsOf } from '../list/controls.ts';
import type { FilterName } from '../list/filters.ts';
import { NamedFilters, RefreshButton } from '../list/list-toolbar.tsx';
import { useListKeys } from '../list/use-list-keys.ts';
import { usePresets } from '../presets/use-presets.ts';
import { usePageSettled } from '../use-page-settled.ts';
import { BoardColumnView, type ColumnHandle } from './board-column.tsx';
import { moveInColumn, moveToColumn } from './board-keys.ts';
import { type BoardColumn, boardColumnsAtom, COLUMNS_MAX, firstColumns } from './board-state.ts';
import { boardKey } from './use-board-list.ts';
import { ViewSwitch } from './view-switch.tsx';

type ListOfColumn = Omit<BoardColumn, 'id'>;

/** Lists that every user has, beside the presets. */
const namedLists: readonly ListOfColumn[] = [
  ...firstColumns.map(({ name, choice }) => ({ name, choice })),
  { name: 'Runners', choice: { filter: 'runners' } },
  { name: 'Might Run', choice: { filter: 'might-run' } },
  { name: 'Safe', choice: { filter: 'safe' } },
  { name: 'Risky', choice: { filter: 'risky' } },
];

/** Shows several lists side by side; on a narrow screen one at a time, with a swipe to the next. */
export default function Board(props: {
  search: RefObject<HTMLInputElement | null>;
  /** Opens the list of a filter. */
  onFilter: (filter: FilterName) => void;
}) {
  const { search, onFilter } = props;
  const { loader } = useLiveMarket();
  const queries = useAtomValue(queryClientAtom);
  const all = useList('all', pollEvery.listPage);
  const total = useAtomValue(statsAtom)?.total ?? all.total;
  const settled = usePageSettled();
  const [columns, setColumns] = useAtom(boardColumnsAtom);
  const lists = useLists();
  const strip = useRef<HTMLUListElement>(null);
  const [place, setPlace] = useState(0);
  useRowKeys();
  useListKeys({
    search,
    move: (by) => moveInColumn(strip.current, by),
    across: (by) => moveToColumn(strip.current, by),
  });
  const refresh = () => {
    all.reload();
    void queries.refetchQueries({ queryKey: [boardKey], type: 'active' });
    void loader.loadStats();
  };
  const show = (to: number) =>
    strip.current?.children[to]?.scrollIntoView({ behavior: 'smooth', block: 'nearest', inline: 'start' });
  return (
    <div className="flex h-[calc(100dvh-80px)] min-h-90 flex-col gap-3 in-data-quick-bar:h-[calc(100dvh-136px)] max-md:h-[calc(100dvh-176px)] max-md:in-data-quick-bar:h-[calc(100dvh-232px)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="text-muted text-sm tabular-nums max-md:hidden">{total !== null && counted(total, 'token')}</p>
        <Jumps columns={columns} place={place} onJump={show} />
        <span className="flex min-w-0 max-w-full max-md:order-last max-md:w-full">
          <NamedFilters filter={null} onFilter={onFilter} />
        </span>
        <span className="ml-auto flex items-center gap-2">
          <RefreshButton refreshing={all.loading && all.fetchedAt !== null} onRefresh={refresh} />
          <Button
            size="sm"
            disabled={columns.length >= COLUMNS_MAX}
            onClick={() => {
              const unused = lists.find((one) => !columns.some(({ name }) => name === one.name)) ?? namedLists[0];
              if (unused !== undefined) setColumns([...columns, { id: crypto.randomUUID(), ...unused }]);
            }}
          >
            <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
            Column
          </Button>
          <QuickSwitch />
          <ViewSwitch view="board" />
        </span>
      </div>
      <StaleNote complete={all.complete} />
      {settled && <Columns strip={strip} columns={columns} lists={lists} onChange={setColumns} onPlace={setPlace} />}
    </div>
  );
}

/** Returns the lists that a column can show: the named ones, and the ready and the user's own presets. */
function useLists(): readonly ListOfColumn[] {
  const { data } = usePresets();
  return useMemo(() => {
    const presets = [...readyPresets, ...(data ?? [])].map(({ name, choice }) => ({
      name,
      choice: Object.fromEntries(paramsOf(choice)),
    }));
    const named = new Set(namedLists.map(({ name }) => name));
    return [...namedLists, ...presets.filter(({ name }) => !named.has(name))];
  }, [data]);
}

/** Marks the data of a dragged column: no other place takes it. Firefox drags nothing without data. */
const DRAG_TYPE = 'application/x-board-column';

/**
 * Renders the columns, which are ordered by a drag of their heads or by their menus. While one is dragged, styles alone move
 * them: the order is stored at the drop, and any other end of the drag leaves it as it was.
 */
function Columns(props: {
  strip: RefObject<HTMLUListElement | null>;
  columns: readonly BoardColumn[];
  lists: readonly ListOfColumn[];
  onChange: (columns: BoardColumn[]) => void;
  /** Receives the place of the column that a scroll has reached, where each is as wide as the screen. */
  onPlace: (place: number) => void;
}) {
  const { strip, columns, lists, onChange, onPlace } = props;
  const [drag, setDrag] = useState<{ id: string; to: number } | null>(null);
  const dragged = columns.find(({ id }) => id === drag?.id);
  const shown = drag === null || dragged === undefined ? columns : moved(columns, dragged, drag.to);
  const handleOf = (id: string, place: number): ColumnHandle => ({
    draggable: columns.length > 1,
    onDragStart: ({ dataTransfer }) => {
      dataTransfer.effectAllowed = 'move';
      dataTransfer.setData(DRAG_TYPE, id);
      setDrag({ id, to: place });
    },
    onDragEnd: () => setDrag(null),
  });
  return (
    <ul
      ref={strip}
      onScroll={({ target, currentTarget }) => {
        if (target === currentTarget) onPlace(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth));
      }}
      onDragOver={(event) => {
        // Also over the space between two columns.
        if (drag !== null) event.preventDefault();
      }}
      onDrop={(event) => {
        if (drag === null) return;
        event.preventDefault();
        onChange([...shown]);
        setDrag(null);
      }}
      className="scroll-quiet flex min-h-0 flex-1 gap-3 overflow-x-auto max-md:snap-x max-md:snap-mandatory max-md:gap-0"
    >
      {columns.map((column, place) => {
        const move = (to: number) => () => onChange(moved(columns, column, to));
        const to = shown.indexOf(column);
        return (
          <li
            key={column.id}
            style={{ order: to }}
            onDragOver={() => {
              if (drag !== null && to !== drag.to) setDrag({ ...drag, to });
            }}
            className={classNames(
              'flex min-h-0 min-w-80 flex-1 overflow-hidden rounded-lg border border-line bg-surface max-md:min-w-full max-md:snap-start md:max-w-192',
              dragged === column && 'opacity-60',
            )}
          >
            <BoardColumnView
              column={column}
              lists={lists}
              handle={handleOf(column.id, place)}
              onReplace={(list) => onChange(columns.map((one) => (one === column ? { id: one.id, ...list } : one)))}
              onLeft={place === 0 ? undefined : move(place - 1)}
              onRight={place === columns.length - 1 ? undefined : move(place + 1)}
              onRemove={columns.length === 1 ? undefined : () => onChange(columns.filter((one) => one !== column))}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** Leads to a column on a narrow screen, where one is shown at a time, and marks that one. */
function Jumps(props: { columns: readonly BoardColumn[]; place: number; onJump: (place: number) => void }) {
  const { columns, place, onJump } = props;
  return (
    <fieldset className="scroll-quiet flex min-w-0 gap-1 overflow-x-auto rounded-md border border-line bg-surface p-0.5 md:hidden">
      <legend className="sr-only">Column</legend>
      {columns.map(({ id, name }, at) => (
        <button
          key={id}
          type="button"
          aria-current={at === place ? 'true' : undefined}
          onClick={() => onJump(at)}
          className={classNames(
            'h-7 shrink-0 rounded-sm px-2 font-medium text-xs transition-colors',
            at === place ? 'bg-text/8 text-text' : 'text-muted hover:text-text',
          )}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
