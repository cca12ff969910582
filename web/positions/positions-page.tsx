import { Layers } from 'lucide-react';
import { useState } from 'react';
import type { TradingAccount } from '../../common/trading/account.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { StaleNote } from '../live/hooks/stale-note.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useAtomValue } from '../store.ts';
import { shortSol, signedSol } from '../trading/format.ts';
import { ModeBadge } from '../trading/mode-badge.tsx';
import { useOpenPositions, useOpenPositionsState, useTradingAccount } from '../trading/state/trading.ts';
import { dayTotals, totalsOf, utcDayAtom } from '../trading/totals.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { StatCard } from '../ui/stat-card.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { ClosedTable } from './closed-table.tsx';
import { ExportButton } from './export-button.tsx';
import { OpenTable } from './open-table.tsx';
import { useClosedPositions } from './use-closed-positions.ts';

/** The user's tokens with what they cost and what a sale of them returns now. */
export default function PositionsPage() {
  usePageTitle('Positions');
  const account = useTradingAccount();
  const open = useOpenPositions();
  const [tab, setTab] = useState('open');
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {account !== null && <TotalsToday account={account} />}
      <StaleNote complete />
      <Tabs
        label="Positions"
        tab={tab}
        onTab={setTab}
        actions={
          <>
            {account !== null && <ModeBadge mode={account.mode ?? 'off'} />}
            <ExportButton />
          </>
        }
        tabs={[
          { id: 'open', label: 'Open', count: open?.length ?? null, content: <OpenPositions /> },
          { id: 'closed', label: 'Closed', content: <ClosedPositions /> },
        ]}
      />
    </div>
  );
}

function TotalsToday({ account }: { account: TradingAccount }) {
  const positions = useOpenPositions();
  const { data: days } = useUserQuery(tradingCalls.profit, { query: { days: 1 } });
  const { realisedLamports, feesLamports, wins, losses } = dayTotals(useAtomValue(utcDayAtom), account, days);
  const totals = positions === null || account.mode === null ? null : totalsOf(positions, account.mode);
  return (
    <div className="grid gap-3 tight:gap-1.5 sm:grid-cols-3">
      <StatCard
        line
        label="Realised today"
        value={realisedLamports === null ? null : signedSol(realisedLamports)}
        hint={wins + losses === 0 ? 'No sale today (UTC).' : `${wins} with a gain, ${losses} without.`}
      />
      <StatCard
        label="Unrealised"
        value={totals?.profitLamports == null ? null : signedSol(totals.profitLamports)}
        hint={
          totals === null
            ? 'If everything were sold now.'
            : `If everything were sold now: ${shortSol(totals.valueLamports)} SOL${totals.unknown > 0 ? `, without ${totals.unknown} of unknown value` : ''}.`
        }
      />
      <StatCard
        line
        label="Fees today"
        value={feesLamports === null ? null : `${shortSol(feesLamports)} SOL`}
        hint="Launchpad, network, priority and tips."
      />
    </div>
  );
}

const EMPTY = 'What rules, strategies and you buy shows here.';

function OpenPositions() {
  const positions = useOpenPositions();
  const { error, loading, reload } = useOpenPositionsState();
  if (positions === null) return <NotLoaded error={error} busy={loading} onRetry={reload} />;
  return (
    <>
      {error !== null && <Outdated error={error} />}
      <Card flush>
        {positions.length === 0 ? (
          <Empty icon={Layers} title="No positions." text={EMPTY} />
        ) : (
          <OpenTable positions={positions} />
        )}
      </Card>
    </>
  );
}

function ClosedPositions() {
  const { rows, error, loading, reload, hasMore, loadMore, loadingMore } = useClosedPositions();
  if (rows === undefined) return <NotLoaded error={error} busy={loading} onRetry={reload} />;
  return (
    <div className="flex flex-col gap-3">
      {error !== null && <Outdated error={error} />}
      <Card flush>
        {rows.length === 0 ? (
          <Empty icon={Layers} title="No positions." text={EMPTY} />
        ) : (
          <ClosedTable positions={rows} />
        )}
      </Card>
      {hasMore && (
        <Button className="self-center" onClick={loadMore} busy={loadingMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

function NotLoaded(props: { error: string | null; busy: boolean; onRetry: () => void }) {
  return (
    <Card flush>
      {props.error === null ? (
        <SkeletonRows rows={4} label="Loading positions" />
      ) : (
        <Problem title="Error Loading Positions" text={props.error} onRetry={props.onRetry} busy={props.busy} />
      )}
    </Card>
  );
}

function Outdated({ error }: { error: string }) {
  return (
    <Notice tone="warning" title="This list may be out of date">
      {error}
    </Notice>
  );
}
