import { ChartColumnStacked } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { Card } from '../ui/card.tsx';
import { clockTime, count, utcTime } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { TableSwitch } from '../ui/table-switch.tsx';

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
  const sum = (read: (minute: DetectionCoverage['minutes'][number]) => number) =>
    count(minutes.reduce((total, minute) => total + read(minute), 0));
  const exclusive = sources.map((source) => `${sum(({ only }) => only[source] ?? 0)} by ${source} only`);
  const parts = [
    `${sum(({ both }) => both)} by two sources or more`,
    ...exclusive,
    `${sum((one) => one.backfill)} by backfill`,
  ];
  return `Tokens seen in the last hour: ${parts.join(', ')}. The table shows every minute.`;
}

function MinuteTable({ coverage: { minutes, sources } }: { coverage: DetectionCoverage }) {
  return (
    <section className="max-h-64 overflow-auto" aria-label="Tokens by minute">
      <table aria-label="Tokens by source" className="w-full whitespace-nowrap text-right text-xs tabular-nums">
        <thead className="text-muted">
          <tr>
            <th className="py-1 pr-2 text-left font-medium">Minute</th>
            {['Two or more', ...sources.map((source) => `Only ${source}`), 'Backfill'].map((label) => (
              <th key={label} className="px-2 py-1 font-medium last:pr-0">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {minutes.toReversed().map(({ at, both, only, backfill }) => (
            <tr key={at} className="border-line border-t">
              <td className="py-1 pr-2 text-left" title={utcTime(at)}>
                {clockTime(at).slice(0, 5)}
              </td>
              <td className="px-2 py-1">{count(both)}</td>
              {sources.map((source) => (
                <td key={source} className="px-2 py-1">
                  {count(only[source] ?? 0)}
                </td>
              ))}
              <td className="py-1 pl-2">{count(backfill)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
