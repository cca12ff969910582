import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Token } from '../../../common/tokens/model.ts';
import { useNotBlacklisted } from '../../watchlists/lists.ts';
import { type Layout, rowHeight } from '../columns.tsx';
import { TokenRow } from '../row.tsx';
import { TableHead, useTokenTable } from './table-head.tsx';
import { useHold } from './use-hold.ts';

/** Rows rendered beyond the edges of the window, so that scrolling does not outrun painting. */
const OVERSCAN = 8;
/** Distance from the last row at which the next page is loaded, rows. */
const LOAD_AHEAD = 25;
/** Window width, px, below which the search has its own line in the header and the menu is a bar at the bottom. */
const NARROW = 768;
/**
 * Space covered by fixed elements, px. Wide: header (48) and table head (37). Narrow: header of two lines, and the bar
 * (56).
 */
const covered = {
  wide: { coveredAbove: 85, coveredBelow: 0 },
  narrow: { coveredAbove: 96, coveredBelow: 56 },
} as const;

export interface TokenTableHandle {
  /** Moves the focus to the next (1) or previous (-1) row. */
  move(by: 1 | -1): void;
  toTop(): void;
}

export interface TokenTableProps {
  tokens: readonly Token[];
  layout: Layout;
  /** Holds the rows still regardless of the pointer. */
  paused: boolean;
  /** Filter and text of the rows; another choice starts from the top. */
  choice: string;
  handle: RefObject<TokenTableHandle | null>;
  /** Called when the last row is near. */
  onEnd: () => void;
  /** Called with whether the rows are held, and the number of waiting tokens. */
  onHold: (held: boolean, waiting: number) => void;
  onPaint?: ((address: string) => void) | undefined;
  footer?: ReactNode;
}

/** Renders the tokens sorted and virtualized, held still under the pointer and while scrolled down. */
export function TokenTable(props: TokenTableProps) {
  const { tokens, layout, paused, choice, handle, onEnd, onHold, onPaint, footer } = props;
  const { table, sorting } = useTokenTable(tokens);
  const sortedRows = table.getRowModel().rows;
  const sorted = useMemo(() => sortedRows.map((row) => row.original.address), [sortedRows]);

  const reading = useReading();
  const hold = paused || reading.now;
  const { shown: heldRows, waiting } = useHold(sorted, hold, `${choice} ${JSON.stringify(sorting)}`);
  // A blacklisted token disappears at once, also from held rows.
  const shown = useNotBlacklisted(heldRows);
  useEffect(() => onHold(hold, waiting), [onHold, hold, waiting]);

  const body = useRef<HTMLTableSectionElement>(null);
  const place = usePlace(body);
  const virtual = useWindowVirtualizer({
    count: shown.length,
    estimateSize: () => rowHeight[layout],
    overscan: OVERSCAN,
    scrollMargin: place.top,
    scrollPaddingStart: place.coveredAbove,
    scrollPaddingEnd: place.coveredBelow,
    getItemKey: (index) => shown[index] ?? index,
  });
  const items = virtual.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= shown.length - LOAD_AHEAD) onEnd();
  }, [lastIndex, shown.length, onEnd]);

  const built = items.flatMap(({ index }) => shown[index] ?? []);
  useMoves(handle, shown, built, body, (index) => virtual.scrollToIndex(index, { align: 'auto' }));

  const above = (items[0]?.start ?? 0) - (items.length > 0 ? place.top : 0);
  const below = Math.max(0, virtual.getTotalSize() - Math.max(0, above) - items.length * rowHeight[layout]);
  return (
    <div {...reading.props} className="min-w-0 rounded-lg border border-line bg-surface">
      <table aria-label="Tokens" aria-rowcount={shown.length + 1} className="block w-full">
        {layout !== 'compact' && <TableHead table={table} layout={layout} />}
        {/* The padding replaces rows that are not rendered. */}
        <tbody ref={body} className="block" style={{ paddingTop: Math.max(0, above), paddingBottom: below }}>
          {items.map((item) => {
            const address = shown[item.index];
            if (address === undefined) return null;
            return (
              <TokenRow key={address} address={address} layout={layout} place={item.index + 1} onPaint={onPaint} />
            );
          })}
        </tbody>
      </table>
      {footer}
    </div>
  );
}

/** Start of the rows, and the space covered by fixed elements, px. */
interface Place {
  /** From the top of the document, which the window scrolls. */
  top: number;
  coveredAbove: number;
  coveredBelow: number;
}

/** Measured at every render, because elements above the table appear and disappear, and at every resize. */
function usePlace(body: RefObject<HTMLElement | null>): Place {
  const [place, setPlace] = useState<Place>({ top: 0, ...covered.wide });
  useLayoutEffect(() => {
    const measure = () => {
      if (!body.current) return;
      const top = Math.round(body.current.getBoundingClientRect().top + window.scrollY);
      const { coveredAbove, coveredBelow } = window.innerWidth < NARROW ? covered.narrow : covered.wide;
      setPlace((before) =>
        before.top === top && before.coveredAbove === coveredAbove ? before : { top, coveredAbove, coveredBelow },
      );
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  });
  return place;
}

/** Returns whether the rows are being read: a mouse is over them, one has the focus, or the page is scrolled down. */
function useReading() {
  const [over, setOver] = useState(false);
  const [focused, setFocused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > rowHeight.wide);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  const props = {
    onPointerEnter: (event: { pointerType: string }) => setOver(event.pointerType === 'mouse'),
    onPointerLeave: () => setOver(false),
    onFocus: (event: { target: Element }) =>
      setFocused(event.target.matches(':is([data-row-link], [data-row-action]):focus-visible')),
    onBlur: () => setFocused(false),
  };
  return { now: over || focused || scrolled, props };
}

/** Moves the focus from row to row; scrolls first to a row that is not rendered. */
function useMoves(
  handle: RefObject<TokenTableHandle | null>,
  shown: readonly string[],
  built: readonly string[],
  body: RefObject<HTMLTableSectionElement | null>,
  scrollTo: (index: number) => void,
): void {
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
    toTop: () => window.scrollTo({ top: 0 }),
  }));
}
