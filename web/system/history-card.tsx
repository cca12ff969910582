import { ChartLine } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { SystemMinute } from '../../common/admin/model.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choice.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { clockTime, utcTime } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { TableSwitch } from '../ui/table-switch.tsx';
import { errorCounts, errorsBySource, formatValue, type Span, series, spans } from './history-series.ts';

// The charting library is larger than the rest of the page: it is fetched when a chart is shown.
const HistoryCharts = lazy(() => import('./history-charts.tsx'));

interface HistoryProps {
  /** Oldest first. */
  history: readonly SystemMinute[];
  span: Span;
  /** Starts of the server, oldest first. */
  starts: readonly string[];
  /** Returns the label of a source. */
  nameOf: (source: string) => string;
}

const spanOptions = (Object.keys(spans) as Span[]).map((value) => ({ value, label: value }));

/** The last hour by minute or the last day by ten minutes, as charts or as a table. */
export function HistoryCard(props: {
  history: readonly SystemMinute[];
  day: readonly SystemMinute[];
  starts: readonly string[];
  sources: readonly SourceHealth[];
}) {
  const { sources, starts } = props;
  const [asTable, setAsTable] = useState(false);
  const [span, setSpan] = useState<Span>('1 h');
  const history = span === '24 h' ? wholeDay(props) : span === '1 h' ? props.history : props.history.slice(-15);
  const shown = { history, span, starts };
  const nameOf = (name: string) => sources.find(({ source }) => source === name)?.label ?? name;
  const errors = errorsBySource(history);
  return (
    <Card
      title={span === '1 h' ? 'Last hour' : `Last ${span}`}
      actions={
        <>
          <Choice options={spanOptions} value={span} onChange={setSpan} />
          <TableSwitch asTable={asTable} onChange={setAsTable} icon={ChartLine} charts="charts" />
        </>
      }
    >
      {asTable ? <MinuteTable {...shown} nameOf={nameOf} /> : <Charts {...shown} nameOf={nameOf} />}
      {history.length > 0 && (
        <p className="mt-3 text-muted text-xs tabular-nums">
          {errors.length === 0 ? 'No source had an error.' : `Errors by source: ${errorCounts(errors, nameOf)}.`}
        </p>
      )}
    </Card>
  );
}

/** Returns the day in spans of ten minutes, and the minutes after the last of them. */
function wholeDay({ history, day }: { history: readonly SystemMinute[]; day: readonly SystemMinute[] }) {
  const last = day.at(-1)?.at ?? '';
  return [...day, ...history.filter(({ at }) => at > last)];
}

function Charts({ history, ...rest }: HistoryProps) {
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
      <HistoryCharts history={history} {...rest} />
    </Suspense>
  );
}

function MinuteTable({ history, span, nameOf }: HistoryProps) {
  const columns = useMemo(() => minuteColumns(nameOf), [nameOf]);
  return (
    <div className="rounded-md border border-line">
      <DataTable
        label={span === '24 h' ? 'The last 24 h' : `The last ${span === '1 h' ? 'hour' : span} by minute`}
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
