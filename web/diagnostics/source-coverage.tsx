import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import type { DataColumn } from '../ui/data-table.tsx';
import { clockTime, count, MISSING, utcTime } from '../ui/format.ts';
import { TableCard } from '../ui/table-card.tsx';
import { MinuteCard } from './minute-card.tsx';
import { tokenColumn } from './sample-tables.tsx';

/** Detections, latency and missed tokens of each source in the last hour. */
export function SourceCoverage({ coverage }: { coverage: DetectionCoverage }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <MinuteCard coverage={coverage} />
      <Sources coverage={coverage} />
      <Missed missed={coverage.missed} />
    </div>
  );
}

type SourceFigures = DetectionCoverage['bySource'][number];

const sourceColumns: readonly DataColumn<SourceFigures>[] = [
  { id: 'source', label: 'Source', cell: ({ source }) => source },
  { id: 'seen', label: 'Seen', align: 'right', cell: ({ seen }) => count(seen) },
  { id: 'missed', label: 'Missed', align: 'right', cell: ({ missed }) => count(missed) },
  { id: 'backfilled', label: 'Backfilled', align: 'right', cell: ({ backfilled }) => count(backfilled) },
  { id: 'p50', label: 'p50', align: 'right', cell: (row) => latency(row.latencyP50, row.fromBlockTime) },
  { id: 'p99', label: 'p99', align: 'right', cell: (row) => latency(row.latencyP99, row.fromBlockTime) },
  { id: 'slots', label: 'Slots missed', align: 'right', cell: ({ slotsMissed }) => count(slotsMissed) },
  {
    id: 'transactions',
    label: 'Transactions lost',
    align: 'right',
    cell: ({ transactionsLost }) => count(transactionsLost),
  },
  { id: 'unreadable', label: 'Unreadable', align: 'right', cell: unreadable },
  { id: 'trades', label: 'Trades missed', align: 'right', cell: ({ tradesMissed }) => count(tradesMissed) },
  { id: 'errors', label: 'Decode errors', align: 'right', cell: ({ decodeErrors }) => count(decodeErrors) },
  { id: 'refused', label: 'Refused', align: 'right', cell: ({ refused }) => count(refused) },
];

function Sources({ coverage: { bySource } }: { coverage: DetectionCoverage }) {
  return (
    <TableCard
      title="Sources"
      empty="No source is configured."
      actions={<span className="text-muted text-xs">last hour, or since a later start</span>}
      columns={sourceColumns}
      rows={bySource}
      rowId={({ source }) => source}
    />
  );
}

/** Formats the number of unreadable transactions with their versions. */
function unreadable({ transactionsUnreadable, unreadableVersions: versions }: SourceFigures): string {
  const number = count(transactionsUnreadable);
  return transactionsUnreadable && versions.length > 0 ? `${number} (version ${versions.join(', ')})` : number;
}

/**
 * Formats a latency: milliseconds below one second, else seconds; a dash for null. Block times are whole seconds, so a
 * latency from one of them is exact to ±1 s.
 */
function latency(ms: number | null, fromBlockTime: boolean): string {
  if (ms === null) return MISSING;
  const text = ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
  return fromBlockTime ? `${text} ±1 s` : text;
}

type MissedToken = DetectionCoverage['missed'][number];

const missedColumns: readonly DataColumn<MissedToken>[] = [
  {
    id: 'time',
    label: 'Time',
    cellClass: 'whitespace-nowrap',
    cell: ({ at }) => <span title={utcTime(at)}>{clockTime(at)}</span>,
  },
  tokenColumn(),
  { id: 'source', label: 'Missed by', cell: ({ source }) => source },
  { id: 'seenBy', label: 'Seen by', cell: ({ seenBy }) => seenBy },
  { id: 'why', label: 'Why', cellClass: 'text-muted', cell: ({ why }) => why ?? 'unknown' },
];

function Missed({ missed }: { missed: readonly MissedToken[] }) {
  return (
    <TableCard
      title="Missed tokens"
      empty="No stream has missed a token that another one detected."
      columns={missedColumns}
      rows={missed}
      rowId={({ source, address }) => `${source} ${address}`}
      box="max-h-80"
    />
  );
}
