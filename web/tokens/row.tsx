import { ArrowRight } from 'lucide-react';
import { memo, useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { Token } from '../../common/tokens/model.ts';
import { listedAt } from '../../common/tokens/order.ts';
import { Age } from '../live/hooks/age.tsx';
import { useLiveMarket } from '../live/live.ts';
import { useAtomValue } from '../store.ts';
import { RowTrades } from '../trading/quick/row-trades.tsx';
import { classNames } from '../ui/class-names.ts';
import { liquidity, plainPrice, usd } from '../ui/format.ts';
import { ListMarks } from '../watchlists/list-looks.tsx';
import { type Marks, useMarks } from '../watchlists/lists.ts';
import { moveInRow, RowActions } from '../watchlists/row-actions.tsx';
import { TokenLinksMenu } from './actions/token-links.tsx';
import { ListBadge, SourceName, TokenTitle } from './cells.tsx';
import { Change } from './change.tsx';
import { type ColumnId, columns, gridOf, type Layout } from './columns.tsx';
import { CopyMark } from './copy-mark.tsx';
import { useMarketCap, useVolume } from './display/money.ts';
import { Figure } from './figure.tsx';
import { detailPath } from './links.ts';
import { StackedRisk } from './risk-badge.tsx';
import { nameOf, symbolOf } from './text.ts';
import { TokenMark } from './token-mark.tsx';

interface TokenRowProps {
  address: string;
  layout: Layout;
  /** Position in the list from 1. */
  place: number;
  /** Marks the row that a refused press was meant for. */
  glows?: boolean;
  /** Called at each render, for tests of repainting. */
  onPaint?: ((address: string) => void) | undefined;
}

/** Renders one token. Subscribes to that token and its lists alone, so that a change repaints no other row. */
export const TokenRow = memo(function TokenRow({ address, layout, place, glows, onPaint }: TokenRowProps) {
  const live = useLiveMarket();
  const token = useAtomValue(live.tokens.atom(address));
  const marks = useMarks(address);
  const [arriving] = useState(() => live.writer.justArrived(address));
  // Links are built with the first look at a row: most rows only pass by.
  const [looked, setLooked] = useState(false);
  onPaint?.(address);
  const look = classNames(rowLook, arriving && 'animate-row-in', glows && glow);
  const height = layout.rowHeight;
  const size = { height, transform: `translateY(${(place - 1) * height}px)` };
  if (token === null || marks?.black === true) {
    // Only a held list still has such a row: the next one must not come under the pointer.
    const text = token === null ? 'This token was removed.' : 'This token is on your blacklist.';
    return (
      <tr aria-rowindex={place + 1} className={classNames(look, 'flex px-4 text-faint text-sm')} style={size}>
        <td>{text}</td>
      </tr>
    );
  }
  if (layout.kind === 'cards') {
    return (
      <tr
        aria-rowindex={place + 1}
        data-address={address}
        data-swipe=""
        className={classNames(look, 'flex touch-pan-y touch-pinch-zoom')}
        style={size}
        onKeyDown={moveInRow}
      >
        <td className="flex w-full min-w-0 flex-col">
          <Card token={token} marks={marks} />
          <span className="relative z-1 flex gap-1.5 px-3 pb-2 empty:hidden">
            <RowTrades address={address} name={nameOf(token)} look="card" />
          </span>
        </td>
      </tr>
    );
  }
  return (
    <tr
      aria-rowindex={place + 1}
      data-address={address}
      data-density={layout.density}
      className={classNames(look, 'grid gap-x-4 px-4 text-sm tabular-nums')}
      style={{ ...size, gridTemplateColumns: gridOf(layout) }}
      onKeyDown={moveInRow}
      onPointerEnter={() => setLooked(true)}
      onFocus={() => setLooked(true)}
    >
      {layout.columns.map((id) => (
        <Cell key={id} id={id} token={token} marks={marks} layout={layout} looked={looked} />
      ))}
    </tr>
  );
});

const rowLook =
  'group absolute inset-x-0 top-0 items-center border-line border-b bg-surface transition-colors hover:bg-raised focus-within:bg-raised';

interface Shown {
  token: Token;
  marks: Marks | null;
}

const glow = 'z-1 outline-2 outline-accent -outline-offset-2';

function Cell(props: Shown & { id: ColumnId; layout: Layout; looked: boolean }) {
  const { id, token, marks, layout, looked } = props;
  if (id === 'token') {
    return (
      <td className="flex min-w-0 items-center gap-2.5">
        <TokenMark address={token.address} />
        <TokenTitle token={token} marks={marks} showAge={!layout.columns.includes('detected')} />
      </td>
    );
  }
  if (id === 'open') {
    // The buttons that trade leave no room for more than the lists.
    return <OpenCell token={token} marks={marks} hasLinks={looked && !layout.columns.includes('trade')} />;
  }
  if (id === 'trade') {
    return (
      <td className="relative z-1 flex gap-1">
        <RowTrades address={token.address} name={nameOf(token)} look="row" />
      </td>
    );
  }
  const { align, cell, spoken } = columns[id];
  return (
    <td
      aria-label={spoken?.(token)}
      className={classNames('flex min-w-0', align === 'end' && 'justify-end text-right')}
    >
      {cell(token)}
    </td>
  );
}

/** The link covers the whole row, so that all of it is clickable and only one element is in the tab order. */
function OpenCell({ token, marks, hasLinks }: Shown & { hasLinks: boolean }) {
  const name = nameOf(token);
  // The hidden buttons of a row are built after it is on screen.
  const isPainted = useDeferredValue(true, false);
  return (
    <td className="flex justify-end">
      <Link
        href={detailPath(token.address)}
        data-row-link=""
        aria-label={`Details of ${name}`}
        aria-keyshortcuts="ArrowRight"
        className="grid size-7 place-items-center rounded-md text-muted after:absolute after:inset-0 group-hover:text-accent focus-visible:text-accent focus-visible:outline-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
      >
        <ArrowRight
          size={16}
          strokeWidth={1.75}
          aria-hidden="true"
          className="opacity-50 transition-opacity group-hover:opacity-100"
        />
      </Link>
      {isPainted && (
        <RowActions address={token.address} name={name} marks={marks}>
          {hasLinks && <TokenLinksMenu token={token} name={name} />}
        </RowActions>
      )}
    </td>
  );
}

/** Renders a token in two columns of up to three lines, for narrow screens. The right one has the same width in each row. */
function Card({ token, marks }: Shown) {
  const symbol = symbolOf(token);
  return (
    <div className="flex h-16 w-full min-w-0 items-center gap-2.5 px-3 text-sm tabular-nums">
      <TokenMark address={token.address} size={32} />
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0 items-center gap-2">
          <Link
            href={detailPath(token.address)}
            data-row-link=""
            className="min-w-0 after:absolute after:inset-0 focus-visible:outline-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            <bdi className="block truncate font-medium">{nameOf(token)}</bdi>
          </Link>
          <ListMarks marks={marks} />
          <ListBadge token={token} short />
        </span>
        <span className="flex min-w-0 items-center gap-1 overflow-hidden text-2xs text-muted">
          {symbol !== null && <bdi className="min-w-0 max-w-[8ch] truncate">{symbol}</bdi>}
          <CopyMark token={token} />
          <SourceName token={token} short />
          <Age at={listedAt(token)} className="shrink-0" />
        </span>
        <span aria-hidden="true" className="flex min-w-0 items-center gap-1.5 text-2xs">
          <MarketCap token={token} />
          {/* Without room for both, the market cap takes precedence. */}
          <Change token={token} named className="max-[400px]:hidden" />
        </span>
      </div>
      <div className="flex w-34 shrink-0 flex-col items-end">
        <span className="flex w-full items-center justify-end gap-0.5">
          <StackedRisk token={token} className="min-w-0 flex-1 items-end" short />
          <span className="-mr-2 relative z-1">
            <TokenLinksMenu token={token} name={nameOf(token)} marks={marks} />
          </span>
        </span>
        <span className="flex items-center gap-1.5 whitespace-nowrap text-2xs text-muted">
          <Figure value={token.currentLiquidity} className="text-text">
            {liquidity(token.currentLiquidity)}
          </Figure>
          <span>
            <abbr title="Volume, 24 h" className="no-underline">
              Vol
            </abbr>{' '}
            <Volume token={token} />
          </span>
        </span>
        <span className="sr-only">
          Price {plainPrice(token.price)} SOL, market cap {usd(token.marketCap)}
        </span>
      </div>
    </div>
  );
}

function MarketCap({ token }: { token: Token }) {
  const { value, text } = useMarketCap(token);
  return (
    <span>
      <abbr title="Market cap" className="text-muted no-underline">
        MC
      </abbr>{' '}
      <Figure value={value}>{text}</Figure>
    </span>
  );
}

function Volume({ token }: { token: Token }) {
  const { value, text } = useVolume(token);
  return (
    <Figure value={value} className="text-text">
      {text}
    </Figure>
  );
}
