import { ArrowLeft, ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { Link, useParams } from 'wouter';
import type { TokenDetail, Trade } from '../../../common/tokens/model.ts';
import { listedAt } from '../../../common/tokens/order.ts';
import { coverageText } from '../../../common/tokens/risk/reason.ts';
import { TokenCalibrationCard } from '../../calibration/token-card.tsx';
import { WhyTab } from '../../decisions/why-tab.tsx';
import { usePageTitle } from '../../layout/page-title.ts';
import { StaleNote } from '../../live/hooks/stale-note.tsx';
import { TradePanel } from '../../trading/panel/trade-panel.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Price } from '../../ui/price.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { NARROW, useMedia, WIDE } from '../../ui/use-media.ts';
import { ListButtons } from '../../watchlists/list-buttons.tsx';
import { TokenLinks } from '../actions/token-links.tsx';
import { ListBadge, SourceName } from '../cells.tsx';
import { Change } from '../change.tsx';
import { CopyMark } from '../copy-mark.tsx';
import { Figure } from '../figure.tsx';
import { detailPath } from '../links.ts';
import { useNeighbours, useReturnRow } from '../list/list-order.ts';
import { RiskBadge } from '../risk-badge.tsx';
import { nameOf, symbolOf } from '../text.ts';
import { TokenMark } from '../token-mark.tsx';
import { ActionsTab } from './actions-tab.tsx';
import { ChartCard } from './chart/chart-card.tsx';
import { CreatorCard } from './creator-card.tsx';
import { ExplorerButton } from './explorer-button.tsx';
import { HoldersTab } from './holders-tab.tsx';
import { InformationCard } from './information-card.tsx';
import { MarketCard } from './market-card.tsx';
import { RiskTab } from './risk/risk-tab.tsx';
import { VerdictCard } from './risk/verdict-card.tsx';
import { Tape } from './tape/tape.tsx';
import { TradeBar } from './trade-bar.tsx';
import { useDetail, useTrades, useWalletLabels } from './use-detail.ts';

const NO_TRADES: readonly Trade[] = [];

/** Shows a token, live. */
export default function TokenDetailPage() {
  const { address } = useParams<{ address: string }>();
  const returnRow = useReturnRow(address);
  return (
    <div {...returnRow} className="flex min-w-0 flex-col gap-3 in-data-trade-bar:pb-14">
      <div className="flex items-center justify-between gap-3">
        <Link
          href="/app/tokens"
          className="inline-flex h-7 items-center gap-1.5 rounded-sm font-medium text-muted text-sm transition-colors hover:text-text"
        >
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
          Back to tokens
        </Link>
        {/* It stays from coin to coin, so that its buttons keep the focus. */}
        <ListSteps address={address} />
      </div>
      {/* No other state of the previous token may stay. */}
      <DetailOf key={address} address={address} />
    </div>
  );
}

function DetailOf({ address }: { address: string }) {
  const { data: token, error, loading, reload } = useDetail(address);
  usePageTitle('Token', token === undefined ? 'Token' : (symbolOf(token) ?? nameOf(token)));
  return (
    <>
      {token !== undefined && <Detail token={token} />}
      {token === undefined && error !== null && (
        <NotFound address={address} onRetry={() => void reload()} busy={loading} />
      )}
      {token === undefined && error === null && <Waiting />}
    </>
  );
}

/** Leads to the coins beside this one in the list that it was opened from. */
function ListSteps({ address }: { address: string }) {
  const neighbours = useNeighbours(address);
  if (neighbours === null) return null;
  const { previous, next, place, of } = neighbours;
  return (
    <nav aria-label="Coins of the list" className="flex items-center gap-1 text-muted text-xs tabular-nums">
      {place} of {of}
      <Step from={address} to={previous} label="Previous coin" shortcut="[" icon={ChevronLeft} />
      <Step from={address} to={next} label="Next coin" shortcut="]" icon={ChevronRight} />
    </nav>
  );
}

/** A step to another coin; at the end of the list (`to` is null), a disabled link that keeps the focus. */
function Step(props: { from: string; to: string | null; label: string; shortcut: string; icon: LucideIcon }) {
  const { from, to, label, shortcut, icon: Icon } = props;
  const isEnd = to === null;
  return (
    <Link
      href={detailPath(to ?? from)}
      replace
      aria-label={label}
      aria-disabled={isEnd || undefined}
      aria-keyshortcuts={shortcut}
      title={`${label} (${shortcut})`}
      onClick={(event) => isEnd && event.preventDefault()}
      className={classNames(
        'grid size-7 place-items-center rounded-md',
        isEnd ? 'cursor-default opacity-40' : 'hover:bg-raised hover:text-text',
      )}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
    </Link>
  );
}

function Detail({ token }: { token: TokenDetail }) {
  const trades = useTrades(token.address);
  const { labels, isFailed } = useWalletLabels(token);
  const tape = { token, trades, labels, hasLabels: !isFailed };
  const isWide = useMedia(WIDE);
  const isNarrow = useMedia(NARROW);
  return (
    <>
      <Heading token={token} />
      <StaleNote complete />
      {isNarrow && <TradeBar token={token} />}
      {/* Two columns where there is room; otherwise one, with the trade first and constant data last. */}
      <div className="flex flex-col gap-3 xl:grid xl:grid-cols-[minmax(0,1fr)_384px]">
        <div className="flex min-w-0 flex-col gap-3 max-xl:contents">
          <div className="min-w-0 max-xl:order-2">
            <ChartCard token={token} since={listedAt(token)} trades={trades.data ?? NO_TRADES} labels={labels} />
          </div>
          {isWide && (
            <section aria-label="Tape">
              <Tape {...tape} box="max-h-72" />
            </section>
          )}
          <Tabs
            label="About this token"
            className="max-xl:order-4"
            tabs={[
              {
                id: 'risk',
                label: 'Risk Analysis',
                content: <RiskTab risk={token.risk} below={<TokenCalibrationCard token={token} />} />,
              },
              {
                id: 'transactions',
                label: 'Transactions',
                content: <Tape {...tape} />,
              },
              { id: 'holders', label: 'Holders', content: <HoldersTab token={token} /> },
              { id: 'why', label: 'Why', content: <WhyTab address={token.address} /> },
              { id: 'actions', label: 'Actions', content: <ActionsTab token={token} /> },
            ]}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-3 max-xl:contents">
          <div className="min-w-0 empty:hidden max-xl:order-1">{!isNarrow && <TradePanel token={token} />}</div>
          <div className="min-w-0 max-xl:-order-1">
            <VerdictCard token={token} />
          </div>
          <div className="min-w-0 max-xl:order-3">
            <MarketCard token={token} />
          </div>
          <div className="min-w-0 max-xl:order-5">
            <CreatorCard address={token.address} />
          </div>
          <div className="min-w-0 max-xl:order-6">
            <InformationCard token={token} />
          </div>
        </div>
      </div>
    </>
  );
}

function Heading({ token }: { token: TokenDetail }) {
  const { risk } = token;
  const symbol = symbolOf(token);
  const name = nameOf(token);
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <TokenMark address={token.address} size={44} />
      <div className="min-w-0 flex-1 basis-52">
        <h2 className="flex min-w-0 items-baseline gap-2 font-semibold text-xl tracking-tight">
          {/* Tight letters end beyond their box, which cuts the last one. */}
          <bdi className="max-w-[16ch] shrink-0 truncate pr-px">{symbol ?? name}</bdi>
          {symbol !== null && <bdi className="min-w-0 truncate pr-px font-normal text-base text-muted">{name}</bdi>}
        </h2>
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <RiskBadge token={token} known={`${risk.known} of ${risk.total} checks`} title={coverageText(risk)} />
          <Badge>
            <SourceName token={token} />
          </Badge>
          <span className="text-2xs text-muted">
            <CopyMark token={token} />
          </span>
          <ListBadge token={token} />
          <div className="-mx-1 flex flex-wrap items-center gap-1">
            <TokenLinks token={token} name={name} place="page" />
          </div>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3 max-sm:w-full max-sm:justify-between">
        <p className="text-right leading-tight max-sm:text-left">
          <span className="block font-semibold text-2xl tabular-nums tracking-tight">
            <Figure value={token.price}>
              <Price value={token.price} />
            </Figure>
            <span className="ml-1 font-normal text-muted text-sm">SOL</span>
          </span>
          <Change token={token} named className="text-xs tabular-nums" />
        </p>
        <ListButtons address={token.address} className="max-sm:order-last max-sm:w-full" />
        <ExplorerButton token={token} label="Explorer" />
      </div>
    </header>
  );
}

function NotFound({ address, onRetry, busy }: { address: string; onRetry: () => void; busy: boolean }) {
  return (
    <section className="flex flex-col items-center rounded-lg border border-line bg-surface px-6 py-14 text-center">
      <h2 className="font-semibold text-xl">Token Not Found</h2>
      <p role="alert" className="mt-2 max-w-[68ch] break-words text-muted text-sm [overflow-wrap:anywhere]">
        The token with address {address} could not be found or there was an error loading it.
      </p>
      <Button className="mt-5" onClick={onRetry} busy={busy}>
        Retry
      </Button>
    </section>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading token" className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <Skeleton className="size-11 rounded-md" />
        <div className="flex flex-col gap-2">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-5 w-64 max-w-full" />
        </div>
      </div>
      <div className="grid gap-3 xl:grid-cols-[minmax(0,1fr)_384px]">
        <Skeleton className="h-80 rounded-lg" />
        <Skeleton className="h-80 rounded-lg" />
      </div>
    </div>
  );
}
