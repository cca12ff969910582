import { Eye, Users } from 'lucide-react';
import { memo, useState } from 'react';
import { Link } from 'wouter';
import type { Token } from '../../../common/tokens/model.ts';
import { listedAt } from '../../../common/tokens/order.ts';
import { Age } from '../../live/hooks/age.tsx';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { RowTrades } from '../../trading/quick/row-trades.tsx';
import { classNames } from '../../ui/class-names.ts';
import { compact, count, liquidity } from '../../ui/format.ts';
import { RiskPill } from '../../ui/risk-pill.tsx';
import { useChangeList } from '../../watchlists/change-list.tsx';
import { ListMarks } from '../../watchlists/list-looks.tsx';
import { type Marks, useMarks } from '../../watchlists/lists.ts';
import { moveInRow } from '../../watchlists/row-actions.tsx';
import { TokenLinks, TokenLinksMenu } from '../actions/token-links.tsx';
import { ListBadge } from '../cells.tsx';
import { Change } from '../change.tsx';
import { CopyMark } from '../copy-mark.tsx';
import { useMarketCap, useVolume } from '../display/money.ts';
import { Facts, factsOf } from '../facts.tsx';
import { Figure } from '../figure.tsx';
import { detailPath } from '../links.ts';
import { nameOf, symbolOf } from '../text.ts';
import { TokenMark } from '../token-mark.tsx';

/** The fact that the bar of a card shows. */
const CURVE = 'Crv';

/** Height of a card, px: without and with the buttons that trade. */
export const CARD_HEIGHT = 84;
export const TRADING_CARD_HEIGHT = 126;

interface CardProps {
  address: string;
  /** Position in the column from 1. */
  place: number;
  /** Number of cards in the column. */
  of: number;
  /** Height of each card of the column, px. */
  height: number;
  /** Marks the card that a refused press was meant for. */
  glows: boolean;
}

/**
 * Renders a token in three lines, with the buttons that trade below them while quick trade is on. Subscribes to that token and its
 * lists alone.
 */
export const BoardCard = memo(function BoardCard({ address, place, of, height, glows }: CardProps) {
  const live = useLiveMarket();
  const token = useAtomValue(live.tokens.atom(address));
  const marks = useMarks(address);
  const [looked, setLooked] = useState(false);
  const [arriving] = useState(() => live.writer.justArrived(address));
  return (
    <li
      data-address={address}
      aria-posinset={place}
      aria-setsize={of}
      onKeyDown={moveInRow}
      onPointerEnter={() => setLooked(true)}
      onFocus={() => setLooked(true)}
      className={classNames(
        'group absolute inset-x-0 top-0 border-line border-b bg-surface px-3 py-1.5 text-xs tabular-nums transition-colors hover:bg-raised focus-within:bg-raised',
        arriving && 'animate-row-in',
        glows && 'z-1 outline-2 outline-accent -outline-offset-2',
      )}
      style={{ height, transform: `translateY(${(place - 1) * height}px)` }}
    >
      {token === null || marks?.black === true ? (
        // Only a held column still has such a card: the next one must not come under the pointer.
        <p className="text-faint">{token === null ? 'This token was removed.' : 'This token is on your blacklist.'}</p>
      ) : (
        <Content token={token} marks={marks} looked={looked} />
      )}
    </li>
  );
});

function Content({ token, marks, looked }: { token: Token; marks: Marks | null; looked: boolean }) {
  const symbol = symbolOf(token);
  const name = nameOf(token);
  const facts = factsOf(token);
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <TokenMark address={token.address} size={20} />
        <Link
          href={detailPath(token.address)}
          data-row-link=""
          aria-label={`Details of ${name}`}
          aria-keyshortcuts="ArrowRight"
          className="flex min-w-0 items-baseline gap-1.5 after:absolute after:inset-0 focus-visible:outline-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          {symbol !== null && <bdi className="max-w-[12ch] shrink-0 truncate font-semibold text-sm">{symbol}</bdi>}
          <bdi className={classNames('truncate', symbol === null ? 'font-semibold text-sm' : 'text-muted')}>{name}</bdi>
        </Link>
        <CopyMark token={token} />
        <ListMarks marks={marks} />
        <ListBadge token={token} short />
        <Age at={listedAt(token)} className="ml-auto shrink-0 text-muted" />
        {/* A finger does not hover, which shows the actions of a mouse. */}
        <span className="-my-1 -mr-2 relative z-1 pointer-fine:hidden">
          <TokenLinksMenu token={token} name={name} marks={marks} />
        </span>
      </div>
      <Figures token={token} />
      <div className="flex min-w-0 items-center gap-2 text-2xs">
        <span className="flex h-5 min-w-0 flex-1 flex-wrap content-start gap-x-2 overflow-hidden leading-5">
          {/* The bar shows the curve. */}
          <Facts facts={facts.filter(({ short }) => short !== CURVE)} className="shrink-0" />
        </span>
        <RiskPill scamProbability={token.scamProbability} className="h-5!" />
      </div>
      <span className="relative z-1 mt-1 flex gap-1.5 empty:hidden">
        <RowTrades address={token.address} name={name} look="card" />
      </span>
      <CurveBar token={token} title={facts.find(({ short }) => short === CURVE)?.evidence} />
      {looked && <Actions token={token} name={name} marks={marks} />}
    </>
  );
}

function Figures({ token }: { token: Token }) {
  const cap = useMarketCap(token);
  const volume = useVolume(token);
  return (
    // A figure without room wraps out of sight: a cut one would read as another figure.
    <p className="flex h-6 min-w-0 flex-wrap content-start items-baseline gap-x-2.5 overflow-hidden whitespace-nowrap leading-6">
      <span>
        <span className="text-muted">MC </span>
        <Figure value={cap.value} className="font-medium text-sm text-text">
          {cap.text}
        </Figure>
      </span>
      <Change token={token} named />
      <span title={`Liquidity: ${liquidity(token.currentLiquidity)}`}>
        <span className="text-muted">Liq </span>
        <Figure value={token.currentLiquidity}>{compact(token.currentLiquidity)}</Figure>
      </span>
      <span>
        <span className="text-muted">Vol </span>
        <Figure value={volume.value}>{volume.text}</Figure>
      </span>
      <span title={`${count(token.holderCount)} holders`} className="inline-flex items-baseline gap-1">
        <Users size={11} strokeWidth={1.75} aria-hidden="true" className="self-center text-muted" />
        <span className="sr-only">Holders </span>
        <Figure value={token.holderCount}>{compact(token.holderCount)}</Figure>
      </span>
    </p>
  );
}

/** Shows along the lower edge how much of the curve is sold; hidden from screen readers, which read the fact. */
function CurveBar({ token: { curveProgress, stage }, title }: { token: Token; title: string | undefined }) {
  const share = stage === 'pool' ? 100 : (curveProgress ?? 0);
  return (
    <span aria-hidden="true" title={title} className="absolute inset-x-0 bottom-0 block h-0.5">
      <span className="block h-full bg-accent/70" style={{ width: `${share}%` }} />
    </span>
  );
}

/** Shows what can be done with the token over its upper right corner, while the card has the pointer or the focus. */
function Actions({ token, name, marks }: { token: Token; name: string; marks: Marks | null }) {
  const change = useChangeList();
  const isWatched = marks?.watch === true;
  return (
    <span className="pointer-events-none absolute top-0.5 right-1 z-1 flex items-center bg-raised pl-1 opacity-0 transition-opacity group-hover:pointer-events-auto group-hover:opacity-100 group-focus-within:pointer-events-auto group-focus-within:opacity-100">
      <button
        type="button"
        tabIndex={-1}
        data-row-action=""
        disabled={marks === null}
        aria-pressed={isWatched}
        aria-label={`Watch ${name}`}
        aria-keyshortcuts="w"
        title="Watch (w)"
        onClick={() => change({ list: 'watch', address: token.address, on: !isWatched })}
        className={classNames(
          'grid size-7 place-items-center rounded-md transition-colors hover:bg-text/8',
          isWatched ? 'text-accent' : 'text-muted hover:text-text',
        )}
      >
        <Eye size={15} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <TokenLinks token={token} name={name} place="row" />
    </span>
  );
}
