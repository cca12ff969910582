import { Flame, FlaskConical, TrendingUp } from 'lucide-react';
import type { Token } from '../../common/tokens/model.ts';
import { listedAt } from '../../common/tokens/order.ts';
import { Age } from '../live/hooks/age.tsx';
import { Badge } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { compact, count, liquidity, plainPrice, price } from '../ui/format.ts';
import { Sparkline } from '../ui/sparkline.tsx';
import { ListMarks } from '../watchlists/list-looks.tsx';
import type { Marks } from '../watchlists/lists.ts';
import { Change } from './change.tsx';
import { CopyMark } from './copy-mark.tsx';
import { useMarketCap, useVolume } from './display/money.ts';
import { Figure } from './figure.tsx';
import { StackedRisk } from './risk-badge.tsx';
import { cleanText, nameOf, symbolOf } from './text.ts';

const SIMULATOR = 'simulator';
/** Letters of a name that leave no room for the word of a badge. */
const LONG_NAME = 18;
/** Hides the second line of a cell in low rows. */
const NO_ROOM = 'in-data-[density=compact]:hidden';

/**
 * Returns the fill of the liquidity bar, percent: initial liquidity (SOL) × 10, at most 100 (specification, section 9).
 */
export function liquidityShare(initialLiquidity: number | null): number {
  return Math.min(100, Math.max(0, (initialLiquidity ?? 0) * 10));
}

/** Returns the fill of the holder bar, percent: the number of holders, at most 100 (specification, section 9). */
export function holderShare(holderCount: number | null): number {
  return Math.min(100, Math.max(0, holderCount ?? 0));
}

function isSimulated(token: Pick<Token, 'metadata'>): boolean {
  return token.metadata.source === SIMULATOR;
}

/**
 * Shows the source of a token, and whether it is simulated (S3-10). `short` leaves the word 'Simulated' to screen readers:
 * in a narrow row it would be cut.
 */
export function SourceName({ token, short = false }: { token: Token; short?: boolean }) {
  const simulated = isSimulated(token);
  return (
    <span
      // Room for the icon, also where the name has none; a word that does not fit whole wraps to a line that is hidden.
      className="inline-flex h-[1lh] min-w-3 flex-wrap items-center gap-x-1 overflow-hidden"
      title={simulated ? 'Made by the simulator: it exists on no chain.' : 'Where it was launched'}
    >
      {simulated && <FlaskConical size={11} strokeWidth={1.75} aria-hidden="true" className="h-[1lh] shrink-0" />}
      <bdi className={short && simulated ? 'sr-only' : 'truncate'}>
        {simulated ? 'Simulated' : cleanText(token.metadata.source)}
      </bdi>
    </span>
  );
}

const listBadges = {
  runner: {
    tone: 'runner',
    word: 'Runner',
    title: 'Growth score above 30, with at least ten outside buyers',
    icon: Flame,
  },
  mightRun: {
    tone: 'might-run',
    word: 'Might Run',
    title: 'Market cap of $400K to $1M, traded at least 2.5 times over, 1 to 2 hours old',
    icon: TrendingUp,
  },
} as const;

/** Shows Runner or Might Run, if it is one. `short` leaves the word to screen readers, as low rows do: a name needs the room. */
export function ListBadge({ token, short = false }: { token: Pick<Token, 'runner' | 'mightRun'>; short?: boolean }) {
  if (!(token.runner || token.mightRun)) return null;
  const { tone, word, title, icon: Icon } = listBadges[token.runner ? 'runner' : 'mightRun'];
  return (
    <Badge tone={tone} title={title} iconOnly={short} icon={<Icon size={12} strokeWidth={1.75} aria-hidden="true" />}>
      {short ? word : <span className="in-data-[density=compact]:sr-only">{word}</span>}
    </Badge>
  );
}

/** Shows the name above symbol, source and age. Strangers chose the name: it is isolated, cut, and only text. */
export function TokenTitle({ token, marks, showAge }: { token: Token; marks: Marks | null; showAge: boolean }) {
  const symbol = symbolOf(token);
  const name = nameOf(token);
  return (
    <span
      // A low row has one line: the whole name, and what fits whole beside it.
      className="flex min-w-0 flex-col leading-tight in-data-[density=compact]:h-[18px] in-data-[density=compact]:flex-row in-data-[density=compact]:flex-wrap in-data-[density=compact]:gap-x-2 in-data-[density=compact]:overflow-hidden"
    >
      <span className="flex min-w-0 max-w-full items-center gap-2">
        <bdi className="truncate font-medium text-sm text-text leading-[18px]">{name}</bdi>
        <ListMarks marks={marks} />
        <ListBadge token={token} short={name.length > LONG_NAME} />
      </span>
      <span className="flex min-w-0 overflow-hidden items-center gap-1.5 text-2xs text-muted leading-4 in-data-[density=compact]:contents in-data-[density=compact]:leading-[18px] in-data-[density=compact]:*:aria-hidden:hidden">
        {symbol !== null && <bdi className="max-w-[12ch] shrink-0 truncate font-medium">{symbol}</bdi>}
        <CopyMark token={token} />
        {symbol !== null && <span aria-hidden="true">·</span>}
        <SourceName token={token} />
        {showAge && (
          <>
            <span aria-hidden="true">·</span>
            <Age at={listedAt(token)} className="shrink-0 tabular-nums" />
          </>
        )}
      </span>
    </span>
  );
}

export function PriceCell({ token }: { token: Token }) {
  return <Figure value={token.price}>{price(token.price)}</Figure>;
}

/** Returns the price in plain decimals; screen readers would read the subscript as a digit. */
export function spokenPrice({ price: value }: Token): string {
  return value === null ? 'Unknown' : `${plainPrice(value)} SOL`;
}

export function SparkCell({ token }: { token: Token }) {
  const past = token.spark.map(([, value]) => value);
  const values = token.price === null ? past : [...past, token.price];
  return <Sparkline values={values} className="h-6 w-full" />;
}

export function LiquidityCell({ token }: { token: Token }) {
  return (
    <span className="flex w-full flex-col items-end leading-tight">
      <Figure value={token.currentLiquidity}>{liquidity(token.currentLiquidity)}</Figure>
      <span
        title={`The bar is the initial liquidity: ${liquidity(token.initialLiquidity)}, full at 10 SOL`}
        className={classNames('flex w-full items-center gap-1.5 text-2xs text-muted leading-3', NO_ROOM)}
      >
        start
        <Bar share={liquidityShare(token.initialLiquidity)} />
      </span>
    </span>
  );
}

/** A thin bar, hidden from screen readers: the figure beside it has its value. */
export function Bar({ share, className }: { share: number; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block h-[3px] w-full overflow-hidden rounded-full bg-line', className)}
    >
      <span className="block h-full rounded-full bg-accent/70" style={{ width: `${share}%` }} />
    </span>
  );
}

/** Shows the market cap in the unit on screen, above the change since the first known price. */
export function MarketCapCell({ token }: { token: Token }) {
  const { value, text } = useMarketCap(token);
  return (
    <span className="flex flex-col items-end leading-tight">
      <Figure value={value}>{text}</Figure>
      <Change token={token} className={NO_ROOM} />
    </span>
  );
}

export function VolumeCell({ token }: { token: Token }) {
  const { value, text } = useVolume(token);
  return <Figure value={value}>{text}</Figure>;
}

export function HoldersCell({ token }: { token: Token }) {
  const shown = (token.holderCount ?? 0) < 10_000 ? count(token.holderCount) : compact(token.holderCount);
  return <Figure value={token.holderCount}>{shown}</Figure>;
}

/** Shows the risk with its reason, and the share of known checks. */
export function RiskCell({ token }: { token: Token }) {
  return (
    <span className="flex w-full min-w-0 items-center justify-between gap-1">
      <StackedRisk token={token} className="items-start" />
      <span
        className="flex shrink-0 flex-col text-right text-2xs text-muted leading-3.5 tabular-nums"
        title={`${Math.round(token.riskCoverage)}% of the risk checks are known`}
      >
        {Math.round(token.riskCoverage)}%<span className="sr-only"> of checks</span>{' '}
        <span className="in-data-[density=compact]:sr-only">known</span>
      </span>
    </span>
  );
}
