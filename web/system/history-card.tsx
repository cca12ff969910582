import { ChartLine } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { SystemMinute } from '../../common/admin/model.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import { Card } from '../ui/card.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { clockTime, utcTime } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { TableSwitch } from '../ui/table-switch.tsx';
import { errorCounts, errorsBySource, formatValue, series } from './history-series.ts';

// The charting library is larger than the rest of the page: it is fetched when a chart is shown.
const HistoryCharts = lazy(() => import('./history-charts.tsx'));

interface HistoryProps {
  /** Oldest first. */
  history: readonly SystemMinute[];
  /** Returns the label of a source. */
  nameOf: (source: string) => string;
}

/** The last hour by minute, as charts or as a table. */
export function HistoryCard(props: { history: readonly SystemMinute[]; sources: readonly SourceHealth[] }) {
  const { history, sources } = props;
  const [asTable, setAsTable] = useState(false);
  const nameOf = (name: string) => sources.find(({ source }) => source === name)?.label ?? name;
  const errors = errorsBySource(history);
  return (
    <Card
      title="Last hour"
      actions={<TableSwitch asTable={asTable} onChange={setAsTable} icon={ChartLine} charts="charts" />}
    >
      {asTable ? <MinuteTable history={history} nameOf={nameOf} /> : <Charts history={history} nameOf={nameOf} />}
      {history.length > 0 && (
        <p className="mt-3 text-muted text-xs tabular-nums">
          {errors.length === 0 ? 'No source had an error.' : `Errors by source: ${errorCounts(errors, nameOf)}.`}
        </p>
      )}
    </Card>
  );
}

function Charts({ history, nameOf }: HistoryProps) {
  if (history.length < 2) {
    return (
      <Empty
        icon={ChartLine}
        title="Not enough minutes yet"
        text="The charts begin two minutes after the server's start."
        className="py-8"
      />
    );
  }
  return (
    <Suspense fallback={<Skeleton className="h-64 w-full" />}>
      <HistoryCharts history={history} nameOf={nameOf} />
    </Suspense>
  );
}

function MinuteTable({ history, nameOf }: HistoryProps) {
  const columns = useMemo(() => minuteColumns(nameOf), [nameOf]);
  return (
    <div className="rounded-md border border-line">
      <DataTable
        label="The last hour by minute"
        look="dense"
        box="max-h-80"
        columns={columns}
        rows={history.toReversed()}
        rowId={({ at }) => at}
      />
    </div>
  );
}

function minuteColumns(nameOf: HistoryProps['nameOf']): DataColumn<SystemMinute>[] {
  return [
    {
      id: 'minute',
      label: 'Minute',
      rowHeader: true,
      cellClass: 'font-normal text-muted',
      cell: ({ at }) => <span title={utcTime(at)}>{clockTime(at).slice(0, 5)}</span>,
    },
    ...series.map(
      (one): DataColumn<SystemMinute> => ({
        id: one.id,
        label: one.label,
        align: 'right',
        cell: (minute) => formatValue(one, minute),
      }),
    ),
    { id: 'by source', label: 'by source', cell: (minute) => errorCounts(errorsBySource([minute]), nameOf) },
  ];
}
