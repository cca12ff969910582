import { ChartColumnStacked } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { Card } from '../ui/card.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { clockTime, count, utcTime } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { TableSwitch } from '../ui/table-switch.tsx';

type Minute = DetectionCoverage['minutes'][number];

const MinuteChart = lazy(() => import('./minute-chart.tsx'));

/** Detected tokens per minute of the last hour by source, as a chart or as a table. */
export function MinuteCard({ coverage }: { coverage: DetectionCoverage }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title="Tokens by source"
      actions={
        <div className="flex items-center gap-2">
          <span className="text-muted text-xs">last hour, by minute</span>
          <TableSwitch asTable={asTable} onChange={setAsTable} icon={ChartColumnStacked} />
        </div>
      }
    >
      {asTable ? (
        <MinuteTable coverage={coverage} />
      ) : (
        <figure aria-label={summaryOf(coverage)} className="m-0 h-48 min-w-0">
          <Suspense fallback={<Skeleton className="h-full" />}>
            <MinuteChart coverage={coverage} />
          </Suspense>
        </figure>
      )}
    </Card>
  );
}

/** Returns a one-sentence description of the chart for screen readers. */
function summaryOf({ minutes, sources }: DetectionCoverage): string {
  const sum = (read: (minute: Minute) => number) => count(minutes.reduce((total, minute) => total + read(minute), 0));
  const exclusive = sources.map((source) => `${sum(({ only }) => only[source] ?? 0)} by ${source} only`);
  const parts = [
    `${sum(({ both }) => both)} by two sources or more`,
    ...exclusive,
    `${sum((one) => one.backfill)} by backfill`,
  ];
  return `Tokens seen in the last hour: ${parts.join(', ')}. The table shows every minute.`;
}

function MinuteTable({ coverage: { minutes, sources } }: { coverage: DetectionCoverage }) {
  const columns = useMemo(() => minuteColumns(sources), [sources]);
  return (
    <section aria-label="Tokens by minute">
      <DataTable
        label="Tokens by source"
        look="dense"
        box="max-h-64"
        columns={columns}
        rows={minutes.toReversed()}
        rowId={({ at }) => at}
      />
    </section>
  );
}

function minuteColumns(sources: readonly string[]): DataColumn<Minute>[] {
  return [
    { id: 'minute', label: 'Minute', cell: ({ at }) => <span title={utcTime(at)}>{clockTime(at).slice(0, 5)}</span> },
    { id: 'both', label: 'Two or more', align: 'right', cell: ({ both }) => count(both) },
    ...sources.map(
      (source): DataColumn<Minute> => ({
        id: `only ${source}`,
        label: `Only ${source}`,
        align: 'right',
        cell: ({ only }) => count(only[source] ?? 0),
      }),
    ),
    { id: 'backfill', label: 'Backfill', align: 'right', cell: ({ backfill }) => count(backfill) },
  ];
}
