import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Token } from '../../../common/tokens/model.ts';
import { useRowKeys } from '../actions/row-keys.ts';
import { RowSwipe } from '../actions/row-swipe.tsx';
import type { Layout } from '../columns.tsx';
import { LandingNote, useLandingGuard } from '../motion/landing-guard.tsx';
import { FloatingPill, type Stand } from '../motion/new-pill.tsx';
import { useListMotion, useVisibleRows } from '../motion/use-list-motion.ts';
import { useMoved } from '../motion/use-moved.ts';
import { TokenRow } from '../row.tsx';
import { RowTips } from '../tips/row-tips.tsx';
import { useFocusReturn, useOrderKeeper } from './list-order.ts';
import { type Sorting, TableHead, useTokenTable } from './table-head.tsx';

/** Name of this list, beside those of the dashboard and the columns of the board. */
const LIST = 'tokens';
/** Rows rendered beyond the edges of the window, so that scrolling does not outrun painting. */
const OVERSCAN = 8;
/** Distance from the last row for loading the next page, rows. */
const LOAD_AHEAD = 25;
/** Window width, px, below which the search has its own line in the header and the menu is a bar at the bottom. */
const NARROW = 768;
/**
 * Space covered by fixed elements, px. Wide: header (48) and table head (37). Narrow: header of two lines; the bar of the
 * list (44) and that of the menu (56).
 */
const covered = {
  wide: { coveredAbove: 85, coveredBelow: 0 },
  narrow: { coveredAbove: 96, coveredBelow: 100 },
} as const;

export interface TokenTableHandle {
  /** Moves the focus to the next (1) or previous (-1) row. */
  move(by: 1 | -1): void;
  /** Shows the tokens that wait, from the top. */
  showNew(): void;
}

/** How the table stands: held or not, what it does not show, and whether its first rows are scrolled away. */
export interface TableStand extends Stand {
  held: boolean;
  scrolled: boolean;
}

interface TokenTableProps {
  tokens: readonly Token[];
  layout: Layout;
  /** Holds the rows still regardless of the pointer. */
  paused: boolean;
  /** What `tokens` belong to, beside the order; the rows of another choice are shown at once. */
  choice: string;
  /** The server has not responded to this choice yet. */
  pending: boolean;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  handle: RefObject<TokenTableHandle | null>;
  /** Called when the last row is near. */
  onEnd: () => void;
  onStand: (stand: TableStand) => void;
  onPaint?: ((address: string) => void) | undefined;
  footer?: ReactNode;
}

/** Renders the tokens sorted and virtualized; rows keep still while the user may aim at one. */
export function TokenTable(props: TokenTableProps) {
  const { tokens, layout, paused, choice, pending, sorting, onSort, handle, onEnd, onStand, onPaint, footer } = props;
  const table = useTokenTable(tokens, sorting, onSort);
  useRowKeys();
  const sortedRows = table.getRowModel().rows;
  const sorted = useMemo(() => sortedRows.map((row) => row.original.address), [sortedRows]);

  const list = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const moving = useListMotion({
    addresses: sorted,
    choice: `${choice} ${sorting.sort} ${sorting.order}`,
    pending,
    paused,
    list,
    body,
  });
  const { motion, held, scrolled, waiting, moreWaiting, behind } = moving;
  const shown = useVisibleRows(moving);
  useEffect(
    () => onStand({ held, waiting, moreWaiting, behind, scrolled }),
    [onStand, held, waiting, moreWaiting, behind, scrolled],
  );
  const guard = useLandingGuard({ body, rows: shown, choice: moving.choice, height: layout.rowHeight });
  const keepOrder = useOrderKeeper(LIST, shown);

  const virtual = useVisiblePart(body, layout, shown);
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= shown.length - LOAD_AHEAD) onEnd();
  }, [lastIndex, shown.length, onEnd]);

  const built = items.flatMap(({ index }) => shown[index] ?? []);
  const showNew = useCallback(() => {
    motion.release();
    window.scrollTo({ top: 0 });
  }, [motion]);
  const scrollTo = (index: number) => virtual.scrollToIndex(index, { align: 'auto' });
  useMoves(handle, { shown, built, body, showNew, scrollTo });
  useFocusReturn({ list: LIST, element: list, rows: shown, scrollTo });

  return (
    <div ref={list} {...guard.props} {...keepOrder} className="min-w-0 rounded-lg border border-line bg-surface">
      {scrolled && <FloatingPill stand={moving} onShow={showNew} className="top-26" />}
      <table aria-label="Tokens" aria-rowcount={shown.length + 1} className="block w-full">
        {layout.kind === 'table' && <TableHead table={table} layout={layout} />}
        {/* Rows have their place by transform alone: a change of places is no shift of the layout. */}
        <tbody ref={body} className="relative block" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const address = shown[item.index];
            if (address === undefined) return null;
            return (
              <TokenRow
                key={address}
                address={address}
                layout={layout}
                place={item.index + 1}
                glows={guard.refused?.previous === address}
                onPaint={onPaint}
              />
            );
          })}
        </tbody>
      </table>
      <LandingNote refused={guard.refused} />
      <RowTips list={list} />
      <RowSwipe list={list} isLanded={guard.isLanded} />
      {footer}
    </div>
  );
}

/** Returns the rows that are rendered, by their positions, and how to scroll to one. */
function useVisiblePart(body: RefObject<HTMLElement | null>, layout: Layout, shown: readonly string[]) {
  const place = usePlace(body);
  // The rows in sight are painted before those around them are built.
  const [overscan, setOverscan] = useState(0);
  useEffect(() => setOverscan(OVERSCAN), []);
  return useWindowVirtualizer({
    count: shown.length,
    estimateSize: () => layout.rowHeight,
    overscan,
    scrollMargin: place.top,
    scrollPaddingStart: place.coveredAbove,
    scrollPaddingEnd: place.coveredBelow,
    getItemKey: (index) => shown[index] ?? index,
  });
}

/** Start of the rows, and the space covered by fixed elements, px. */
interface Place {
  /** From the top of the document, which the window scrolls. */
  top: number;
  coveredAbove: number;
  coveredBelow: number;
}

function usePlace(body: RefObject<HTMLElement | null>): Place {
  const [place, setPlace] = useState<Place>({ top: 0, ...covered.wide });
  const measure = useCallback(() => {
    if (!body.current) return;
    const top = Math.round(body.current.getBoundingClientRect().top + window.scrollY);
    const { coveredAbove, coveredBelow } = window.innerWidth < NARROW ? covered.narrow : covered.wide;
    setPlace((before) =>
      before.top === top && before.coveredAbove === coveredAbove ? before : { top, coveredAbove, coveredBelow },
    );
  }, [body]);
  useLayoutEffect(measure, [measure]);
  useMoved(body, measure);
  return place;
}

/** Moves the focus from row to row; scrolls first to a row that is not rendered. */
function useMoves(
  handle: RefObject<TokenTableHandle | null>,
  rows: {
    shown: readonly string[];
    built: readonly string[];
    body: RefObject<HTMLTableSectionElement | null>;
    showNew: () => void;
    scrollTo: (index: number) => void;
  },
): void {
  const { shown, built, body, showNew, scrollTo } = rows;
  const [goal, setGoal] = useState<string | null>(null);
  useEffect(() => {
    // Not rendered yet: the requested scroll renders it, and this effect runs again.
    if (goal === null || !built.includes(goal)) return;
    const row = body.current?.querySelector(`[data-address="${CSS.escape(goal)}"]`);
    row?.querySelector<HTMLElement>('[data-row-link]')?.focus({ preventScroll: true });
    setGoal(null);
  }, [goal, built, body]);
  useImperativeHandle(handle, () => ({
    move(by) {
      const focused = document.activeElement?.closest('[data-address]')?.getAttribute('data-address') ?? '';
      const from = shown.indexOf(goal ?? focused);
      const index = from < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, from + by));
      const address = shown[index];
      if (address === undefined) return;
      scrollTo(index);
      setGoal(address);
    },
    showNew,
  }));
}
