import { Link } from 'wouter';
import type { DetectionCoverage } from '../../common/diagnostics/model.ts';
import { detailPath } from '../tokens/links.ts';
import { Card } from '../ui/card.tsx';
import { clockTime, count, MISSING, utcTime } from '../ui/format.ts';
import { MinuteCard } from './minute-card.tsx';

/** Detections, latency and missed tokens of each source in the last hour. */
export function SourceCoverage({ coverage }: { coverage: DetectionCoverage }) {
  return (
    <div className="grid min-w-0 items-start gap-3 xl:grid-cols-2">
      <MinuteCard coverage={coverage} />
      <Sources coverage={coverage} />
      <Missed missed={coverage.missed} />
    </div>
  );
}

function Sources({ coverage: { bySource } }: { coverage: DetectionCoverage }) {
  return (
    <Card
      title="Sources"
      flush
      actions={<span className="text-muted text-xs">since the start, last hour at most</span>}
    >
      {bySource.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted text-sm">No source is configured.</p>
      ) : (
        <div className="overflow-x-auto">
          <table aria-label="Sources" className="w-full whitespace-nowrap text-sm">
            <thead className="text-left text-muted text-xs">
              <tr>
                <th className="px-4 py-2 font-medium">Source</th>
                {['Seen', 'Missed', 'Backfilled', 'p50', 'p99', 'Slots missed', 'Decode errors'].map((label) => (
                  <th key={label} className="px-2 py-2 text-right font-medium last:pr-4">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bySource.map((one) => (
                <tr key={one.source} className="border-line border-t text-right tabular-nums">
                  <td className="px-4 py-1.5 text-left">{one.source}</td>
                  <td className="px-2 py-1.5">{count(one.seen)}</td>
                  <td className="px-2 py-1.5">{count(one.missed)}</td>
                  <td className="px-2 py-1.5">{count(one.backfilled)}</td>
                  <td className="px-2 py-1.5">{latency(one.latencyP50)}</td>
                  <td className="px-2 py-1.5">{latency(one.latencyP99)}</td>
                  <td className="px-2 py-1.5">{count(one.slotsMissed)}</td>
                  <td className="px-4 py-1.5">{count(one.decodeErrors)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** Formats a latency: milliseconds below one second, else seconds; a dash for null. */
function latency(ms: number | null): string {
  if (ms === null) return MISSING;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function Missed({ missed }: { missed: DetectionCoverage['missed'] }) {
  return (
    <Card title="Missed tokens" flush className="xl:col-span-2">
      {missed.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted text-sm">
          No stream has missed a token that another one detected.
        </p>
      ) : (
        <div className="max-h-80 overflow-auto">
          <table aria-label="Missed tokens" className="w-full text-sm">
            <thead className="text-left text-muted text-xs">
              <tr>
                {['Time', 'Token', 'Missed by', 'Seen by', 'Why'].map((label) => (
                  <th key={label} className="px-4 py-2 font-medium">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {missed.map(({ address, symbol, source, seenBy, at, why }) => (
                <tr key={`${source} ${address}`} className="border-line border-t">
                  <td className="whitespace-nowrap px-4 py-1.5 tabular-nums" title={utcTime(at)}>
                    {clockTime(at)}
                  </td>
                  <td className="max-w-40 truncate px-4 py-1.5">
                    <Link href={detailPath(address)} className="hover:underline" title={address}>
                      {symbol ?? 'Unknown'}
                    </Link>
                  </td>
                  <td className="px-4 py-1.5">{source}</td>
                  <td className="px-4 py-1.5">{seenBy}</td>
                  <td className="px-4 py-1.5 text-muted">{why ?? 'unknown'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
