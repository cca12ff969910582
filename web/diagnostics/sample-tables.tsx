import { Link } from 'wouter';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { detailPath } from '../tokens/links.ts';
import { Card } from '../ui/card.tsx';
import { age, count, liquidity, MISSING, percentChange, usd } from '../ui/format.ts';

interface Column<Row> {
  label: string;
  text: (row: Row) => string;
}

/** The newest tokens that currently meet the criteria of Might Run. */
export function MightRunSamples({ tokens }: { tokens: DetectionStats['sampleMightRunTokens'] }) {
  return (
    <Samples
      title="Might Run tokens"
      empty="No token meets the criteria of Might Run right now."
      rows={tokens}
      columns={[
        { label: 'Age', text: (row) => age(0, row.age) },
        { label: 'Market cap', text: (row) => usd(row.marketCap) },
        { label: 'Volume', text: (row) => usd(row.volume) },
        {
          label: 'Volume / cap',
          text: ({ volumeToMarketCapRatio: ratio }) => (ratio === null ? MISSING : ratio.toFixed(2)),
        },
      ]}
    />
  );
}

/** The newest tokens that currently meet the criteria of a runner. */
export function RunnerSamples({ tokens }: { tokens: DetectionStats['sampleRunnerTokens'] }) {
  return (
    <Samples
      title="Runner tokens"
      empty="No token meets the criteria of a runner right now."
      rows={tokens}
      columns={[
        { label: 'Liquidity', text: (row) => liquidity(row.liquidity) },
        { label: 'Volume', text: (row) => usd(row.volume) },
        { label: 'Change', text: (row) => percentChange(row.priceChange) },
        { label: 'Holders', text: (row) => count(row.holders) },
        { label: 'Market cap', text: (row) => usd(row.marketCap) },
      ]}
    />
  );
}

function Samples<Row extends { address: string; symbol: string | null }>({
  title,
  empty,
  rows,
  columns,
}: {
  title: string;
  empty: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  return (
    <Card title={title} flush>
      {rows.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted text-sm">{empty}</p>
      ) : (
        <div className="overflow-x-auto">
          <table aria-label={title} className="w-full whitespace-nowrap text-sm">
            <thead className="text-left text-muted text-xs">
              <tr>
                <th className="px-4 py-2 font-medium">Token</th>
                {columns.map(({ label }) => (
                  <th key={label} className="px-2 py-2 text-right font-medium last:pr-4">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.address} className="border-line border-t tabular-nums">
                  <td className="max-w-32 truncate px-4 py-1.5">
                    <Link href={detailPath(row.address)} className="hover:underline" title={row.address}>
                      {row.symbol ?? 'Unknown'}
                    </Link>
                  </td>
                  {columns.map(({ label, text }) => (
                    <td key={label} className="px-2 py-1.5 text-right last:pr-4">
                      {text(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
