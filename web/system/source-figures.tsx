import type { ReactNode } from 'react';
import type { SourceHealth } from '../../common/sources/model.ts';
import { Age } from '../live/hooks/age.tsx';
import { Badge } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import { count, MISSING, utcTime } from '../ui/format.ts';
import { keyStates, sourceStates } from './labels.ts';
import { Ago, Until } from './state-card.tsx';

/** The one figure that is known of a source that is off. */
export const KEY = 'Key';

/** Figures of a source: the columns of the table, and the lines of the list on narrow screens. */
export const figures: readonly { label: string; render: (source: SourceHealth) => ReactNode }[] = [
  { label: 'Last event', render: ({ lastEventAt }) => <Ago at={lastEventAt} /> },
  { label: 'Per minute', render: ({ eventsPerMinute }) => count(eventsPerMinute) },
  { label: 'Errors', render: (source) => <Errors source={source} /> },
  { label: 'Malformed', render: ({ malformed }) => <Count value={malformed} tone="text-risk-medium" /> },
  { label: 'Circuit', render: (source) => <Circuit source={source} /> },
  { label: 'Budget left', render: (source) => <Budget source={source} /> },
  {
    label: KEY,
    // A source that is not in use misses nothing.
    render: ({ key, state }) => (
      <span className={classNames(state === 'off' ? 'text-muted' : key === 'required-missing' && 'text-down')}>
        {keyStates[key]}
      </span>
    ),
  },
];

export function StateBadge({ state }: Pick<SourceHealth, 'state'>) {
  const { text, tone } = sourceStates[state];
  return <Badge tone={tone}>{text}</Badge>;
}

function Count({ value, tone }: { value: number; tone: string }) {
  return <span className={value > 0 ? tone : ''}>{count(value)}</span>;
}

function Errors({ source: { errors, lastErrorAt } }: { source: SourceHealth }) {
  return (
    <span title={lastErrorAt === null ? undefined : `Last one ${utcTime(lastErrorAt)}`}>
      <Count value={errors} tone="text-down" />
      {lastErrorAt !== null && (
        <span className="text-muted">
          {' '}
          (<Age at={lastErrorAt} /> ago)
        </span>
      )}
    </span>
  );
}

function Circuit({ source: { circuit, retryAt } }: { source: SourceHealth }) {
  switch (circuit) {
    case 'closed':
      return 'closed';
    case 'half-open':
      return <span className="text-risk-medium">half-open, trying one</span>;
    case 'open':
      return (
        <span className="text-down">
          open
          {retryAt !== null && (
            <>
              , retries <Until at={retryAt} />
            </>
          )}
        </span>
      );
  }
}

function Budget({ source: { budget, allowance } }: { source: SourceHealth }) {
  if (budget === null && allowance === null) return MISSING;
  return (
    <>
      {budget !== null && <Left {...budget} />}
      {allowance !== null && (
        <span className="block">
          <Left {...allowance} />
          <span className="text-muted"> this month</span>
        </span>
      )}
    </>
  );
}

function Left({ limit, left, resetsAt }: NonNullable<SourceHealth['budget']>) {
  return (
    <span title={resetsAt === null ? undefined : `Resets ${utcTime(resetsAt)}`}>
      <span className={left === 0 ? 'text-risk-medium' : ''}>{count(left)}</span>
      <span className="text-muted"> of {count(limit)}</span>
    </span>
  );
}
