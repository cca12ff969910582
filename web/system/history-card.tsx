import { ChartLine } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { SystemMinute } from '../../common/admin/model.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import { Card } from '../ui/card.tsx';
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
export function HistoryCard({
  history,
  sources,
}: {
  history: readonly SystemMinute[];
  sources: readonly SourceHealth[];
}) {
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
  return (
    <div className="scroll-quiet max-h-80 overflow-auto rounded-md border border-line">
      <table aria-label="The last hour by minute" className="w-full whitespace-nowrap text-right text-xs tabular-nums">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr className="h-8 *:px-3 *:font-medium">
            <th scope="col" className="text-left">
              Minute
            </th>
            {series.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
            <th scope="col" className="text-left">
              by source
            </th>
          </tr>
        </thead>
        <tbody>
          {history.toReversed().map((minute) => (
            <tr key={minute.at} className="h-7 border-line border-t *:px-3">
              <th scope="row" className="text-left font-normal text-muted" title={utcTime(minute.at)}>
                {clockTime(minute.at).slice(0, 5)}
              </th>
              {series.map((one) => (
                <td key={one.id}>{formatValue(one, minute)}</td>
              ))}
              <td className="text-left">{errorCounts(errorsBySource([minute]), nameOf)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
