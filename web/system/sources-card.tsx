import type { SystemStatus } from '../../common/admin/model.ts';
import { counted } from '../../common/counted.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import { Card } from '../ui/card.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { MISSING } from '../ui/format.ts';
import { useWidth } from '../ui/use-width.ts';
import { figures, KEY, StateBadge } from './source-figures.tsx';

/** Least width of the table, px. */
const TABLE_WIDTH = 660;

interface SourcesProps {
  sources: readonly SourceHealth[];
}

/** All sources, active ones first: a table, or a list on narrow screens. */
export function SourcesCard({ status }: { status: SystemStatus }) {
  const [measure, width] = useWidth();
  const used = status.sources.filter(({ state }) => state !== 'off');
  const off = status.sources.filter(({ state }) => state === 'off');
  const live = used.filter(({ state }) => state === 'live').length;
  const sources = [...used, ...off];
  return (
    <div ref={measure} className="min-w-0">
      <Card
        flush
        title="Sources"
        actions={
          <span role="status" className="text-muted text-xs tabular-nums">
            {live} of {counted(used.length, 'source')} live
          </span>
        }
      >
        {width < TABLE_WIDTH ? <SourceList sources={sources} /> : <SourceTable sources={sources} />}
      </Card>
    </div>
  );
}

const columns: readonly DataColumn<SourceHealth>[] = [
  {
    id: 'source',
    label: 'Source',
    rowHeader: true,
    cellClass: 'min-w-44 max-w-80',
    cell: (source) => (
      <>
        {source.label}
        <Reason source={source} />
      </>
    ),
  },
  { id: 'state', label: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  ...figures.map(
    ({ label, render }): DataColumn<SourceHealth> => ({
      id: label,
      label,
      className: 'whitespace-nowrap',
      cell: (source) =>
        source.state === 'off' && label !== KEY ? <span className="text-faint">{MISSING}</span> : render(source),
    }),
  ),
];

function SourceTable({ sources }: SourcesProps) {
  return (
    <DataTable
      label="Sources"
      columns={columns}
      rows={sources}
      rowId={({ source }) => source}
      rowClass={() => 'align-top *:py-2'}
    />
  );
}

function SourceList({ sources }: SourcesProps) {
  return (
    <ul aria-label="Sources" className="divide-y divide-line">
      {sources.map((source) => (
        <li key={source.source} className="flex flex-col gap-2 px-4 py-3">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0 font-medium text-sm">
              {source.label}
              <Reason source={source} />
            </div>
            <StateBadge state={source.state} />
          </div>
          {source.state !== 'off' && (
            <dl className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-sm">
              {figures.map(({ label, render }) => (
                <div key={label} className="min-w-0">
                  <dt className="text-muted text-xs">{label}</dt>
                  <dd className="break-words tabular-nums">{render(source)}</dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

function Reason({ source: { reason } }: { source: SourceHealth }) {
  if (reason === null) return null;
  return <span className="block break-words font-normal text-muted text-xs">{reason}</span>;
}
