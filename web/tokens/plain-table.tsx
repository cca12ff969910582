import { type ReactNode, type RefObject, useRef } from 'react';
import { classNames } from '../ui/class-names.ts';
import { useRowKeys } from './actions/row-keys.ts';
import { RowSwipe } from './actions/row-swipe.tsx';
import { moveInColumn } from './board/board-keys.ts';
import { columns, gridOf, type Layout } from './columns.tsx';
import { useFocusReturn, useOrderKeeper } from './list/list-order.ts';
import { useListKeys } from './list/use-list-keys.ts';
import { LandingNote, useLandingGuard } from './motion/landing-guard.tsx';
import { FloatingPill, hasNews, NewPill } from './motion/new-pill.tsx';
import { useListMotion, useVisibleRows } from './motion/use-list-motion.ts';
import { TokenRow } from './row.tsx';
import { RowTips } from './tips/row-tips.tsx';
import { useRowLayout } from './use-layout.ts';

/** Renders a short list of tokens, newest first; rows keep still while the user may aim at one. */
export function PlainTokenTable({
  label,
  addresses,
  rows,
  onPaint,
}: {
  label: string;
  addresses: readonly string[];
  /** Maximum number of rows. */
  rows: number;
  onPaint?: ((address: string) => void) | undefined;
}) {
  const [measure, layout] = useRowLayout();
  useRowKeys();
  const list = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const moving = useListMotion({ addresses, choice: label, paused: false, list, body });
  const { motion, scrolled } = moving;
  const shown = useVisibleRows(moving).slice(0, rows);
  const guard = useLandingGuard({ body, rows: shown, choice: moving.choice, height: layout.rowHeight });
  const keepOrder = useOrderKeeper(label, shown);
  useFocusReturn({ list: label, element: list, rows: shown });
  useListKeys({ move: (by) => moveInColumn(list.current, by) });
  const showNew = () => {
    motion.release();
    if (scrolled) showTop(list);
  };
  return (
    <div
      ref={list}
      {...guard.props}
      {...keepOrder}
      className="relative min-w-0 [&_tr]:scroll-mt-14 [&_tr]:scroll-mb-20"
    >
      <p role="status" className="sr-only">
        {moving.waiting > 0 ? 'New tokens are waiting.' : moving.behind && 'The list has changed.'}
      </p>
      {scrolled && <FloatingPill stand={moving} onShow={showNew} className="top-14" />}
      <table ref={measure} aria-label={label} className="block w-full">
        <Head layout={layout}>{!scrolled && hasNews(moving) && <NewPill stand={moving} onShow={showNew} />}</Head>
        <tbody
          ref={body}
          className="relative block *:last:rounded-b-lg *:last:border-b-0"
          style={{ height: shown.length * layout.rowHeight }}
        >
          {shown.map((address, at) => (
            <TokenRow
              key={address}
              address={address}
              layout={layout}
              place={at + 1}
              glows={guard.refused?.previous === address}
              onPaint={onPaint}
            />
          ))}
        </tbody>
      </table>
      <LandingNote refused={guard.refused} />
      <RowTips list={list} />
      <RowSwipe list={list} isLanded={guard.isLanded} />
    </div>
  );
}

/** Renders the headings; one for cards. The pill of waiting tokens stands beside the first, which has room. */
function Head({ layout, children }: { layout: Layout; children: ReactNode }) {
  if (layout.kind === 'cards') {
    return (
      <thead className="block border-line border-b">
        <tr className="flex h-9 max-md:h-8 items-center px-3">
          <th scope="col" className="flex flex-1 items-center justify-between font-medium text-muted text-xs">
            <span>Newest first</span>
            {children}
          </th>
        </tr>
      </thead>
    );
  }
  return (
    <thead className="block border-line border-b">
      <tr className="grid h-9 short:h-8 items-center gap-x-4 px-4" style={{ gridTemplateColumns: gridOf(layout) }}>
        {layout.columns.map((id) => (
          <th
            key={id}
            scope="col"
            className={classNames(
              'min-w-0 font-medium text-muted text-xs',
              columns[id].align === 'end' ? 'truncate text-right' : 'text-left',
              columns[id].under !== undefined && 'flex flex-col items-end',
              id === 'token' && 'flex items-center gap-2',
            )}
          >
            <span className={id === 'open' ? 'sr-only' : ''}>{columns[id].label}</span>
            {layout.density === 'comfortable' && columns[id].under}
            {id === 'token' && children}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Scrolls to the first row, below the header. */
function showTop(list: RefObject<HTMLElement | null>): void {
  const top = list.current?.getBoundingClientRect().top ?? 0;
  window.scrollBy({ top: top - 64 });
}
