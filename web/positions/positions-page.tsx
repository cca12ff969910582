import { Layers } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import type { TradingAccount } from '../../common/trading/account.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import type { Position } from '../../common/trading/position.ts';
import { Loaded, LoadMore } from '../http/loaded.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { StaleNote } from '../live/hooks/stale-note.tsx';
import { type Pages, usePages } from '../live/hooks/use-pages.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { useAtomValue } from '../store.ts';
import { shortSol, signedSol } from '../trading/format.ts';
import { ModeBadge } from '../trading/mode-badge.tsx';
import { tradingKeys, useOpenPositions, useOpenPositionsState, useTradingAccount } from '../trading/state/trading.ts';
import { dayTotals, totalsOf, utcDayAtom } from '../trading/totals.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { StatCard } from '../ui/stat-card.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { ClosedTable } from './closed-table.tsx';
import { ExportPositions } from './export-button.tsx';
import { fetchPositions } from './fetch-positions.ts';
import { OpenTable } from './open-table.tsx';

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
            <ExportPositions />
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

function OpenPositions() {
  const query = { data: useOpenPositions() ?? undefined, ...useOpenPositionsState() };
  return <LoadedPositions query={query} table={OpenTable} />;
}

/** An event about a closed position refetches the list. */
const closedList = { queryKey: [...tradingKeys.positions, 'closed'], fetchPage: fetchPositions('closed'), size: 50 };

function ClosedPositions() {
  const pages = usePages(closedList);
  return (
    <div className="flex flex-col gap-3">
      <LoadedPositions query={pages} table={ClosedTable} />
      <LoadMore {...pages} />
    </div>
  );
}

/** Positions as a table, with the states of their list. */
function LoadedPositions(props: {
  query: Pick<Pages<Position>, 'error' | 'loading' | 'reload'> & { data: readonly Position[] | undefined };
  table: ComponentType<{ positions: readonly Position[] }>;
}) {
  const { query, table: Table } = props;
  return (
    <Loaded
      query={query}
      problem="Error Loading Positions"
      outdated="list"
      waiting={
        <Card flush>
          <SkeletonRows rows={4} label="Loading positions" />
        </Card>
      }
    >
      {(positions) => (
        <Card flush>
          {positions.length === 0 ? (
            <Empty icon={Layers} title="No Positions" text="What rules, strategies and you buy shows here." />
          ) : (
            <Table positions={positions} />
          )}
        </Card>
      )}
    </Loaded>
  );
}
