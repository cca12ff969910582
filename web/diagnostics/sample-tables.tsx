import { Link } from 'wouter';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { detailPath } from '../tokens/links.ts';
import type { DataColumn } from '../ui/data-table.tsx';
import { age, count, liquidity, MISSING, percentChange, usd } from '../ui/format.ts';
import { TableCard } from '../ui/table-card.tsx';

type MightRun = DetectionStats['sampleMightRunTokens'][number];
type Runner = DetectionStats['sampleRunnerTokens'][number];

const mightRunColumns: readonly DataColumn<MightRun>[] = [
  tokenColumn(),
  figureColumn('Age', (row) => age(0, row.age)),
  figureColumn('Market cap', (row) => usd(row.marketCap)),
  figureColumn('Volume', (row) => usd(row.volume)),
  figureColumn('Volume / cap', ({ volumeToMarketCapRatio: ratio }) => (ratio === null ? MISSING : ratio.toFixed(2))),
];

const runnerColumns: readonly DataColumn<Runner>[] = [
  tokenColumn(),
  figureColumn('Liquidity', (row) => liquidity(row.liquidity)),
  figureColumn('Volume', (row) => usd(row.volume)),
  figureColumn('Change', (row) => percentChange(row.priceChange)),
  figureColumn('Holders', (row) => count(row.holders)),
  figureColumn('Market cap', (row) => usd(row.marketCap)),
];

/** A column of symbols that link to the tokens' pages. */
export function tokenColumn<Row extends { address: string; symbol: string | null }>(): DataColumn<Row> {
  return {
    id: 'token',
    label: 'Token',
    cellClass: 'max-w-32 truncate',
    cell: ({ address, symbol }) => (
      <Link href={detailPath(address)} className="hover:underline" title={address}>
        {symbol ?? 'Unknown'}
      </Link>
    ),
  };
}

function figureColumn<Row>(label: string, cell: (row: Row) => string): DataColumn<Row> {
  return { id: label, label, align: 'right', cell };
}

/** The newest tokens that currently meet the criteria of Might Run. */
export function MightRunSamples({ tokens }: { tokens: readonly MightRun[] }) {
  return (
    <TableCard
      title="Might Run tokens"
      empty="No token meets the criteria of Might Run right now."
      rows={tokens}
      rowId={({ address }) => address}
      columns={mightRunColumns}
    />
  );
}

/** The newest tokens that currently meet the criteria of a runner. */
export function RunnerSamples({ tokens }: { tokens: readonly Runner[] }) {
  return (
    <TableCard
      title="Runner tokens"
      empty="No token meets the criteria of a runner right now."
      rows={tokens}
      rowId={({ address }) => address}
      columns={runnerColumns}
    />
  );
}
