import { History } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { replayCalls } from '../../common/replay/http.ts';
import type { ReplayHours, ReplayPlan } from '../../common/replay/model.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { HourPicker } from './hour-picker.tsx';
import { PlanPicker } from './plan-picker.tsx';
import { ReplayProgress } from './progress.tsx';
import { ResultView } from './result-view.tsx';
import { useReplayChoice } from './use-choice.ts';
import { useReplay } from './use-replay.ts';

/** Runs a plan over a recorded hour, on paper, and shows the result beside what live trading did then. */
export default function ReplayPage() {
  usePageTitle('Replay');
  const { data, error, loading, reload } = useUserQuery(replayCalls.hours, {});
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-muted text-sm">
        Runs a rule or strategy over a recorded hour, with delay, price impact and all fees. Nothing is bought.
      </p>
      {data !== undefined && data.hours.length > 0 ? (
        <Lab recorded={data} />
      ) : (
        <Card flush>
          {data !== undefined ? (
            <NoTape isRecording={data.isRecording} />
          ) : error === null ? (
            <SkeletonRows rows={4} label="Loading recorded hours" />
          ) : (
            <Problem title="Error Loading Recorded Hours" text={error} onRetry={() => void reload()} busy={loading} />
          )}
        </Card>
      )}
    </div>
  );
}

function NoTape({ isRecording }: { isRecording: boolean }) {
  return isRecording ? (
    <Empty icon={History} title="No recorded hours yet." text="Recording has begun. Come back in a few minutes." />
  ) : (
    <Empty icon={History} title="No recorded hours." text="Recording is switched off on this server." />
  );
}

function Lab({ recorded: { hours } }: { recorded: ReplayHours }) {
  const choice = useReplayChoice();
  const { run, starting, failure, start, cancel } = useReplay();
  const hour = hours.find((one) => one.hour === choice.hour) ?? hours[0];
  if (hour === undefined) return null;
  const isRunning = run?.state === 'running';
  const onRun = (plan: ReplayPlan) => start({ hour: hour.hour, plan });
  return (
    <>
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Card title="Hour">
          <HourPicker hours={hours} hour={hour} onHour={(chosen) => choice.change({ hour: chosen })} />
        </Card>
        <Card title="Plan">
          <PlanPicker
            plan={choice.plan}
            onPlan={(plan) => choice.change({ plan })}
            busy={starting || isRunning}
            onRun={onRun}
          />
        </Card>
      </div>
      {failure !== null && (
        <div role="alert">
          <Notice tone="danger">{failure}</Notice>
        </div>
      )}
      {run !== null && run.state !== 'done' && (
        <InView key={run.id}>
          <ReplayProgress run={run} onCancel={cancel} />
        </InView>
      )}
      {run?.result && (
        <InView key={`${run.id} result`}>
          <ResultView result={run.result} />
        </InView>
      )}
    </>
  );
}

/** Scrolls to its content when it appears: it is below a form that may be longer than the screen. */
function InView({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not returned: it is a promise in recent browsers, which React would call as the clean-up.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box} className="min-w-0 scroll-mt-16 scroll-mb-20">
      {children}
    </div>
  );
}
