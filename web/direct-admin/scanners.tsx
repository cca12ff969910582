import type { DirectAdmin } from '../../common/maintenance/model.ts';
import { Age } from '../live/hooks/age.tsx';
import { Badge, type BadgeTone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

type Scanner = DirectAdmin['scanners'][number];

/** Badges of a scanner's current state. */
const states: Record<Scanner['state'], { text: string; tone: BadgeTone }> = {
  running: { text: 'Running now', tone: 'accent' },
  idle: { text: 'Waiting for its next run', tone: 'neutral' },
  down: { text: 'Down', tone: 'danger' },
  off: { text: 'Switched off', tone: 'warning' },
};

/** The scanners, each with the state text of the specification ('Always Running') and its current state. */
export function Scanners(props: {
  /** Null while unknown. */
  scanners: readonly Scanner[] | null;
  error: string | null;
  busy: boolean;
  onRetry: () => void;
}) {
  const { scanners, error, busy, onRetry } = props;
  return (
    <div className="flex flex-col gap-3">
      {error !== null && (
        <div role="alert">
          <Notice
            tone="danger"
            title="The state of the scanners is unknown"
            action={
              <Button size="sm" busy={busy} onClick={onRetry}>
                Retry
              </Button>
            }
          >
            {error}
          </Notice>
        </div>
      )}
      {scanners === null && error === null && (
        <div role="status" aria-label="Loading scanners" className="flex flex-col gap-2">
          <Skeleton className="h-7" />
          <Skeleton className="h-7" />
        </div>
      )}
      {scanners !== null && (
        <ul className="divide-y divide-line">
          {scanners.map((scanner) => (
            <ScannerLine key={scanner.name} scanner={scanner} />
          ))}
        </ul>
      )}
    </div>
  );
}

function ScannerLine({ scanner: { name, state, lastRunAt } }: { scanner: Scanner }) {
  const { text, tone } = states[state];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <span className="font-medium">{name}</span>
      <span className="text-muted">Always Running</span>
      <span className="ml-auto flex items-center gap-2">
        {lastRunAt !== null && (
          <span className="text-muted text-xs tabular-nums">
            last run <Age at={lastRunAt} /> ago
          </span>
        )}
        <Badge tone={tone}>{text}</Badge>
      </span>
    </li>
  );
}
