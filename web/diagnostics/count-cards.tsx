import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { Card } from '../ui/card.tsx';
import { count, share } from '../ui/format.ts';

interface StatsProps {
  stats: DetectionStats;
}

/** Number of stored tokens, and of those on a list. */
export function OverviewCard({ stats: { tokenStats, flagged, potential } }: StatsProps) {
  const rows: [string, number][] = [
    ['Total tokens', tokenStats.totalTokens],
    ['With creation date', tokenStats.withCreationDate],
    ['Flagged as Might Run', flagged.mightRunInDb],
    ['Flagged as Runner', flagged.runnerInDb],
    ['In the Might Run timeframe', potential.inMightRunTimeframe],
  ];
  return (
    <Card title="Overview">
      <dl className="flex flex-col gap-1.5 text-sm">
        {rows.map(([label, value]) => (
          <div key={label} className="flex items-baseline justify-between gap-3">
            <dt className="text-muted">{label}</dt>
            <dd className="font-medium tabular-nums">{count(value)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 border-line border-t pt-3 text-muted text-xs">
        Runner: 1 minute to 1 hour old, a growth score above 30, ten outside buyers, neither drained nor rugged. Might
        Run: 1 to 2 hours old, a market cap of 400K to 1M, and a volume of at least 2.5 times that.
      </p>
    </Card>
  );
}

export function AgeCard({ stats: { byAge, tokenStats } }: StatsProps) {
  return (
    <Card title="Age distribution">
      <Bars
        total={tokenStats.totalTokens}
        rows={[
          ['Within 30 min', byAge.within30Min],
          ['Within 1 h', byAge.within1Hour],
          ['Within 2 h', byAge.within2Hours],
          ['Within 8 h', byAge.within8Hours],
        ]}
      />
    </Card>
  );
}

export function MetricsCard({ stats: { metrics, tokenStats } }: StatsProps) {
  return (
    <Card title="Metrics">
      <Bars
        total={tokenStats.totalTokens}
        rows={[
          ['Volume', metrics.withVolume],
          ['Market cap', metrics.withMarketCap],
          ['Both', metrics.withBoth],
          ['Holders', metrics.withHolders],
          ['Price change', metrics.withPriceChange],
          ['Liquidity', metrics.withLiquidity],
        ]}
      />
    </Card>
  );
}

/** Counts as bars of `total`. Screen readers read the figure, so the bar itself is decoration. */
function Bars({ rows, total }: { rows: readonly (readonly [string, number])[]; total: number }) {
  return (
    <ul className="flex flex-col gap-2.5">
      {rows.map(([label, value]) => {
        const percent = total === 0 ? 0 : (value / total) * 100;
        return (
          <li key={label} className="text-sm">
            <div className="flex items-baseline justify-between gap-3">
              <span className="text-muted">{label}</span>
              <span className="tabular-nums">
                <span className="font-medium">{count(value)}</span>{' '}
                <span className="text-muted text-xs">{total === 0 ? '' : share(percent, 0)}</span>
              </span>
            </div>
            <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-text/8">
              <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
