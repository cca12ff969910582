import { useVirtualizer } from '@tanstack/react-virtual';
import { Ellipsis, SearchX } from 'lucide-react';
import { type HTMLAttributes, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { useAtomValue, useSetAtom } from '../../store.ts';
import { isArmedAtom } from '../../trading/quick/armed.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Empty } from '../../ui/empty.tsx';
import { count } from '../../ui/format.ts';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { type Controls, paramsOf, readControls } from '../list/controls.ts';
import { useFocusReturn, useOrderKeeper } from '../list/list-order.ts';
import { LandingNote, useLandingGuard } from '../motion/landing-guard.tsx';
import { hasNews, NewPill } from '../motion/new-pill.tsx';
import { useListMotion, useVisibleRows } from '../motion/use-list-motion.ts';
import { RowTips } from '../tips/row-tips.tsx';
import { BoardCard, CARD_HEIGHT, TRADING_CARD_HEIGHT } from './board-card.tsx';
import { type BoardColumn, viewAtom } from './board-state.ts';
import { type BoardList, useBoardList } from './use-board-list.ts';

/** Cards rendered beyond the edges of a column. */
const OVERSCAN = 4;

/** Changes of a column; undefined where it can't be made. */
export interface ColumnActions {
  onReplace: (column: Omit<BoardColumn, 'id'>) => void;
  onLeft: (() => void) | undefined;
  onRight: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}

export type ColumnHandle = Required<Pick<HTMLAttributes<HTMLElement>, 'draggable' | 'onDragStart' | 'onDragEnd'>>;

interface ColumnProps extends ColumnActions {
  column: BoardColumn;
  /** Makes the head a handle that drags the column. */
  handle: ColumnHandle;
  /** Lists that the column can show instead. */
  lists: readonly Omit<BoardColumn, 'id'>[];
}

/** Renders a list as a column of cards that scrolls, and is held, by itself. */
export function BoardColumnView({ column, ...rest }: ColumnProps) {
  const { controls } = useMemo(() => readControls(paramsOf(column.choice)), [column.choice]);
  const content = useBoardList(controls);
  return (
    <section aria-label={column.name} className="flex min-h-0 min-w-0 flex-1 flex-col">
      {content.addresses !== null && content.addresses.length > 0 ? (
        <Cards column={column} controls={controls} addresses={content.addresses} total={content.total} {...rest} />
      ) : (
        <>
          <Head column={column} total={content.total} {...rest} />
          <NoCards content={content} />
        </>
      )}
    </section>
  );
}

function Cards(props: ColumnProps & { controls: Controls; addresses: readonly string[]; total: number | null }) {
  const { column, addresses, total, lists, ...actions } = props;
  const list = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLUListElement>(null);
  const choice = JSON.stringify(column.choice);
  const height = useAtomValue(isArmedAtom) ? TRADING_CARD_HEIGHT : CARD_HEIGHT;
  useSamePlace(list, height);
  const moving = useListMotion({ addresses, choice, paused: false, list, body });
  const shown = useVisibleRows(moving);
  const guard = useLandingGuard({ body, rows: shown, choice: moving.choice, height });
  const keepOrder = useOrderKeeper(column.id, shown);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => list.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    getItemKey: (index) => shown[index] ?? index,
  });
  useFocusReturn({
    list: column.id,
    element: list,
    rows: shown,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  });
  const showNew = () => {
    moving.motion.release();
    list.current?.scrollTo({ top: 0 });
  };
  return (
    <>
      <Head column={column} total={total} lists={lists} {...actions}>
        {hasNews(moving) && <NewPill stand={moving} onShow={showNew} />}
      </Head>
      <div
        ref={list}
        {...guard.props}
        {...keepOrder}
        className="scroll-quiet relative min-h-0 flex-1 overflow-y-auto overflow-x-hidden"
      >
        <ul ref={body} aria-label={column.name} className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index }) => {
            const address = shown[index];
            if (address === undefined) return null;
            return (
              <BoardCard
                key={address}
                address={address}
                place={index + 1}
                of={shown.length}
                height={height}
                glows={guard.refused?.previous === address}
              />
            );
          })}
        </ul>
        <RowTips list={list} />
      </div>
      <LandingNote refused={guard.refused} />
    </>
  );
}

/** Keeps the card at the top of a scrolled column there when the height of the cards changes. */
function useSamePlace(list: RefObject<HTMLElement | null>, height: number): void {
  const before = useRef(height);
  useLayoutEffect(() => {
    list.current?.scrollTo({ top: (list.current.scrollTop * height) / before.current });
    before.current = height;
  }, [list, height]);
}

/** Shows the name of a column with its number of tokens, and what can be done with it. */
function Head(props: ColumnProps & { total: number | null; children?: ReactNode }) {
  const { column, total, lists, handle, onReplace, onLeft, onRight, onRemove, children } = props;
  const [, navigate] = useLocation();
  const setView = useSetAtom(viewAtom);
  return (
    <header
      {...handle}
      className={classNames(
        'flex h-10 shrink-0 items-center gap-2 border-line border-b pr-1 pl-3',
        handle.draggable && 'cursor-grab',
      )}
    >
      <h2 className="truncate font-semibold text-sm">{column.name}</h2>
      <span className="text-muted text-xs tabular-nums">{count(total)}</span>
      <span role="status" className="ml-auto flex justify-end">
        {children}
      </span>
      <Menu
        side="bottom"
        trigger={
          <Button size="icon" variant="ghost" aria-label={`Change the column ${column.name}`}>
            <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        }
      >
        {onLeft !== undefined && <MenuItem onSelect={onLeft}>Move left</MenuItem>}
        {onRight !== undefined && <MenuItem onSelect={onRight}>Move right</MenuItem>}
        {onRemove !== undefined && <MenuItem onSelect={onRemove}>Remove</MenuItem>}
        <MenuItem
          onSelect={() => {
            setView('list');
            navigate(`/app/tokens?${paramsOf(column.choice)}`);
          }}
        >
          Open as a list
        </MenuItem>
        <MenuLine />
        <MenuLabel>Show instead</MenuLabel>
        {lists.map((one) => (
          <MenuItem key={`${one.name} ${JSON.stringify(one.choice)}`} onSelect={() => onReplace(one)}>
            <bdi className="max-w-[28ch] truncate">{one.name}</bdi>
          </MenuItem>
        ))}
      </Menu>
    </header>
  );
}

function NoCards({ content: { addresses, error, loading, reload } }: { content: BoardList }) {
  if (addresses !== null) {
    return (
      <Empty
        icon={SearchX}
        title="No Matching Tokens"
        text="No token is in this list right now. It updates as the market moves."
      />
    );
  }
  if (error === null) return <SkeletonRows rows={6} label="Loading tokens" rowClassName="h-21" />;
  return (
    <Problem
      title="Error Loading Tokens"
      text="There was an error loading the token data. Please try again."
      onRetry={reload}
      busy={loading}
    />
  );
}
