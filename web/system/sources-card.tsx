import type { SystemStatus } from '../../common/admin/model.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import { useLayout } from '../tokens/use-layout.ts';
import { Card } from '../ui/card.tsx';
import { MISSING } from '../ui/format.ts';
import { plural } from './labels.ts';
import { figures, KEY, StateBadge } from './source-figures.tsx';

interface SourcesProps {
  sources: readonly SourceHealth[];
}

/** All sources, active ones first: a table, or a list on narrow screens. */
export function SourcesCard({ status }: { status: SystemStatus }) {
  const [measure, layout] = useLayout();
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
            {live} of {plural(used.length, 'source')} live
          </span>
        }
      >
        {layout === 'compact' ? <SourceList sources={sources} /> : <SourceTable sources={sources} />}
      </Card>
    </div>
  );
}

function SourceTable({ sources }: SourcesProps) {
  return (
    <div className="scroll-quiet overflow-x-auto">
      <table aria-label="Sources" className="w-full text-sm">
        <thead className="text-left text-muted text-xs">
          <tr className="h-8 whitespace-nowrap *:px-3 *:font-medium">
            <th scope="col" className="pl-4!">
              Source
            </th>
            <th scope="col">State</th>
            {figures.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={source.source} className="border-line border-t align-top *:px-3 *:py-2">
              <th scope="row" className="min-w-44 max-w-80 pl-4! text-left font-medium">
                {source.label}
                <Reason source={source} />
              </th>
              <td>
                <StateBadge state={source.state} />
              </td>
              {figures.map(({ label, render }) => (
                <td key={label} className="whitespace-nowrap tabular-nums">
                  {source.state === 'off' && label !== KEY ? (
                    <span className="text-faint">{MISSING}</span>
                  ) : (
                    render(source)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
