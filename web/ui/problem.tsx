import { RotateCw, TriangleAlert } from 'lucide-react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { clockTime, utcTime } from './format.ts';

/** An error: its subject, its start, and a retry. */
export function Problem(props: {
  /** The failed action, e.g. 'Error Loading Tokens'. */
  title: string;
  /** The cause and the remedy. */
  text?: string;
  /** Time of the first failure, epoch ms. */
  since?: number | null;
  onRetry?: () => void;
  /** Whether a retry is pending. */
  busy?: boolean;
  className?: string;
}) {
  const { title, text, since, onRetry, busy = false, className } = props;
  return (
    <div role="alert" className={classNames('flex flex-col items-center px-6 py-12 text-center', className)}>
      <span className="grid size-10 place-items-center rounded-lg border border-down/30 bg-down/10 text-down">
        <TriangleAlert size={18} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <p className="mt-3 font-medium text-base">{title}</p>
      {text !== undefined && <p className="mt-1 max-w-[60ch] break-words text-muted text-sm">{text}</p>}
      {since != null && (
        <p className="mt-1 text-muted text-xs tabular-nums">
          Since{' '}
          <time dateTime={new Date(since).toISOString()} title={utcTime(since)}>
            {clockTime(since)}
          </time>
        </p>
      )}
      {onRetry !== undefined && (
        <Button className="mt-4" onClick={onRetry} busy={busy}>
          <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
          Retry
        </Button>
      )}
    </div>
  );
}
