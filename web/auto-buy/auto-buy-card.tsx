import { type ReactNode, useId } from 'react';
import { Badge } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';

/** A figure with its name; null is left out. */
export type CardFigure = readonly [label: string, value: string | null];

/** A rule or a strategy: what it is called, whether it is active, its figures and when it would buy. */
export function AutoBuyCard({
  name,
  type,
  isActive,
  description = '',
  figures,
  sentence,
  dimmed = false,
  children,
}: {
  name: string;
  /** What kind it is, where there are several. */
  type?: string;
  isActive: boolean;
  description?: string;
  figures: readonly CardFigure[];
  sentence: string;
  /** Steps back behind the others. By quieter colours, not by opacity: it stays readable. */
  dimmed?: boolean;
  /** The buttons; they are told the id of the heading, which says what they act on. */
  children: (headingId: string) => ReactNode;
}) {
  const headingId = useId();
  return (
    <article
      aria-labelledby={headingId}
      data-dimmed={dimmed}
      className={classNames(
        'flex min-w-0 flex-col gap-3 rounded-lg border border-line p-4',
        dimmed ? 'bg-bg text-muted' : 'bg-surface',
      )}
    >
      <header className="flex min-w-0 items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 id={headingId} className="break-words font-semibold text-base">
            {name}
          </h3>
          {type !== undefined && <p className="text-muted text-xs">{type}</p>}
        </div>
        <Badge tone={isActive ? 'accent' : 'neutral'} className="mt-0.5">
          {isActive ? 'Active' : 'Inactive'}
        </Badge>
      </header>
      {description !== '' && <p className="whitespace-pre-line break-words text-muted text-sm">{description}</p>}
      <Figures figures={figures} />
      <p className="text-muted text-sm">{sentence}</p>
      <footer className="mt-auto flex flex-wrap items-center justify-end gap-2 border-line border-t pt-3">
        {children(headingId)}
      </footer>
    </article>
  );
}

function Figures({ figures }: { figures: readonly CardFigure[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
      {figures.map(([label, value]) =>
        value === null ? null : (
          <div key={label} className="min-w-0">
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="break-words font-medium text-base tabular-nums">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
