import { CircleAlert, CircleCheck } from 'lucide-react';
import type { Run } from '../../common/maintenance/model.ts';
import { Age } from '../live/hooks/age.tsx';
import { count } from '../ui/format.ts';
import { Spinner } from '../ui/spinner.tsx';

/** Why an action is blocked. */
export const BLOCKED = 'Tokens are being removed. You can start this when the removal has ended.';

/** The progress of a run, or the outcome of the last one. */
export function RunStatus({ run }: { run: Run | null }) {
  if (run === null) return <p className="text-faint text-xs">Not run since the server started.</p>;
  return run.state === 'running' ? <Progress run={run} /> : <Outcome run={run} />;
}

function Progress({ run: { done, total, message, by } }: { run: Run }) {
  const share = total === null || total === 0 ? null : Math.min(100, (done / total) * 100);
  return (
    <div className="flex flex-col gap-1.5">
      <div
        role="progressbar"
        aria-label="Progress"
        aria-valuetext={amount(done, total)}
        {...(share === null ? {} : { 'aria-valuenow': Math.round(share), 'aria-valuemin': 0, 'aria-valuemax': 100 })}
        className="h-1 overflow-hidden rounded-full bg-text/10"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${share ?? 0}%` }} />
      </div>
      <p className="flex min-w-0 items-center gap-2 text-muted text-xs">
        <Spinner className="size-3 shrink-0" />
        <span className="tabular-nums">{amount(done, total)}</span>
        <span className="min-w-0 truncate" title={message}>
          {message || `Started by ${starter(by)}`}
        </span>
      </p>
    </div>
  );
}

function Outcome({ run: { state, message, by, endedAt } }: { run: Run }) {
  const failed = state === 'failed';
  const Icon = failed ? CircleAlert : CircleCheck;
  return (
    <div className="flex min-w-0 items-start gap-2 text-xs">
      <Icon
        size={14}
        strokeWidth={1.75}
        aria-hidden="true"
        className={failed ? 'mt-px shrink-0 text-down' : 'mt-px shrink-0 text-accent'}
      />
      <div className="min-w-0">
        <p className="break-words">
          {failed && <span className="font-medium text-down">Failed: </span>}
          {message}
        </p>
        <p className="text-muted tabular-nums">
          <Age at={endedAt} /> ago, by {starter(by)}
        </p>
      </div>
    </div>
  );
}

/** Formats progress: `12 of 40`, or `12 done` while the total is unknown. */
function amount(done: number, total: number | null): string {
  return total === null ? `${count(done)} done` : `${count(done)} of ${count(total)}`;
}

function starter(by: string): string {
  switch (by) {
    case 'schedule':
      return 'the schedule';
    case 'direct-admin-key':
      return 'the direct admin key';
    default:
      return by;
  }
}
