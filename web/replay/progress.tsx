import type { ReplayRun } from '../../common/replay/model.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { hourText } from './hours.ts';

/** A run that is not done: its progress, or how it ended. */
export function ReplayProgress({ run, onCancel }: { run: ReplayRun; onCancel: () => Promise<void> }) {
  if (run.state === 'failed') return <Notice tone="danger">The run failed. Please try again.</Notice>;
  if (run.state === 'cancelled') return <Notice tone="info">The run was cancelled.</Notice>;
  const percent = Math.floor(run.progress * 100);
  return (
    <Card title={`Running ${hourText(run.hour)}`}>
      <div className="flex items-center gap-3">
        <div
          role="progressbar"
          aria-label="Progress of the run"
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-2 min-w-0 flex-1 overflow-hidden rounded-sm bg-line"
        >
          <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
        </div>
        <span className="w-10 text-right text-sm tabular-nums">{percent} %</span>
        <Button onClick={() => void onCancel()}>Cancel</Button>
      </div>
    </Card>
  );
}
