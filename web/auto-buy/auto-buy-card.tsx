import { type ReactNode, useId } from 'react';
import { Badge } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';

/** A figure and its label; one with a null value is left out. */
export type CardFigure = readonly [label: string, value: string | null];

/** The card of a rule or a strategy: name, state, figures and a sentence about when it buys. */
export function AutoBuyCard(props: {
  name: string;
  /** Label of the strategy's type. */
  type?: string;
  isActive: boolean;
  description?: string;
  figures: readonly CardFigure[];
  sentence: string;
  /** What it has bought, and why not. */
  results?: ReactNode;
  /** Uses quieter colours. Not opacity, which would make the text hard to read. */
  dimmed?: boolean;
  /** Renders the buttons; `headingId` describes what they act on. */
  children: (headingId: string) => ReactNode;
}) {
  const { name, type, isActive, description = '', figures, sentence, results, dimmed = false, children } = props;
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
      {results}
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
