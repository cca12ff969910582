import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { adminCalls } from '../../common/admin/http.ts';
import { Loaded } from '../http/loaded.tsx';
import { callQuery } from '../http/query.ts';
import { Age } from '../live/hooks/age.tsx';
import { StaleNote } from '../live/hooks/stale-note.tsx';
import { queryClientAtom, useStore } from '../store.ts';
import { AggregatorCard } from '../system/aggregator-card.tsx';
import { AutoBuyEngineCard } from '../system/engine-card.tsx';
import { HistoryCard } from '../system/history-card.tsx';
import { NetworkCard } from '../system/network-card.tsx';
import { PriceApiCard } from '../system/price-api-card.tsx';
import { SourcesCard } from '../system/sources-card.tsx';
import { BotCard, ChainScannerCard, FeedCard, ServerCard, SocialCard } from '../system/status-cards.tsx';
import { type SystemStatusResponse, useSystemStatus } from '../system/use-system-status.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast-store.ts';

const { queryKey } = callQuery(adminCalls.systemStatus, {});

/** The state of the system, updated live. */
export default function SystemTab() {
  const { refreshing, ...query } = useStatusWithRefresh();
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {query.data !== undefined && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-muted text-sm tabular-nums">
            As of <Age at={query.data.status.at} /> ago
          </p>
          <Button size="sm" busy={refreshing} onClick={() => void query.reload()}>
            <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />
            Refresh
          </Button>
        </div>
      )}
      {query.data !== undefined && <StaleNote complete />}
      <Loaded query={query} problem="The system status could not be fetched" outdated="data" waiting={<Waiting />}>
        {(data) => <Cards data={data} />}
      </Loaded>
    </div>
  );
}

/** Adds the Refresh button's fetch to the query. `refreshing` covers that fetch only, `loading` any. */
function useStatusWithRefresh() {
  const store = useStore();
  const query = useSystemStatus();
  const [refreshing, setRefreshing] = useState(false);
  async function refresh(): Promise<void> {
    setRefreshing(true);
    await query.reload();
    setRefreshing(false);
    // A failed refresh shows its error above the old figures instead.
    if (store.get(queryClientAtom).getQueryState(queryKey)?.status === 'success') toast({ title: 'Status refreshed' });
  }
  return { ...query, reload: refresh, refreshing };
}

function Cards({ data: { status, history, day, starts } }: { data: SystemStatusResponse }) {
  return (
    <>
      {/* Columns of about the same height: in rows, the longest card would leave its neighbours half empty. */}
      <div className="grid min-w-0 gap-3 md:grid-cols-2 min-[87.5rem]:grid-cols-4">
        <Column>
          <BotCard status={status} />
          <ChainScannerCard status={status} />
          <SocialCard status={status} />
        </Column>
        <Column>
          <AutoBuyEngineCard status={status} />
        </Column>
        <Column>
          <FeedCard status={status} />
          <ServerCard status={status} />
          <NetworkCard status={status} />
        </Column>
        <Column>
          <AggregatorCard status={status} />
          <PriceApiCard status={status} />
        </Column>
      </div>
      <SourcesCard status={status} />
      <HistoryCard history={history} day={day} starts={starts} sources={status.sources} />
    </>
  );
}

function Column({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-3">{children}</div>;
}

const places = ['one', 'two', 'three', 'four', 'five', 'six'];

function Waiting() {
  return (
    <div
      role="status"
      aria-label="Loading the system status"
      className="grid gap-3 md:grid-cols-2 min-[87.5rem]:grid-cols-4"
    >
      {places.map((place) => (
        <Skeleton key={place} className="h-44 rounded-lg" />
      ))}
    </div>
  );
}
