import { History } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { replayCalls } from '../../common/replay/http.ts';
import type { ReplayHours, ReplayPlan, ReplayRun } from '../../common/replay/model.ts';
import { Loaded } from '../http/loaded.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Notice } from '../ui/notice.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { HourPicker } from './hour-picker.tsx';
import { hourText } from './hours.ts';
import { PlanPicker } from './plan-picker.tsx';
import { ResultView } from './result-view.tsx';
import { useReplay } from './use-replay.ts';

/** Runs a plan over a recorded hour, on paper, and shows the result beside what it really bought then. */
export default function ReplayPage() {
  usePageTitle('Replay');
  const query = useUserQuery(replayCalls.hours, {});
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-muted text-sm">
        Runs a rule or strategy over a recorded hour, with delay, price impact and all fees. Nothing is bought.
      </p>
      <Loaded
        query={query}
        problem="Error Loading Recorded Hours"
        waiting={
          <Card flush>
            <SkeletonRows rows={4} label="Loading recorded hours" />
          </Card>
        }
      >
        {(recorded) =>
          recorded.hours.length > 0 ? (
            <Lab recorded={recorded} />
          ) : (
            <Card flush>
              <NoTape isRecording={recorded.isRecording} />
            </Card>
          )
        }
      </Loaded>
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

/** Choices of the replay page, in its address, so that a reload, a link and the back button keep them. */
interface ReplayChoice {
  /** Name of an hour, such as `2026-11-23T05`; null for the newest one. May be unknown. */
  hour: string | null;
  /** Id of a rule or strategy; null for the first one. May be unknown. */
  plan: string | null;
  change: (changed: { hour: string } | { plan: string }) => void;
}

function useReplayChoice(): ReplayChoice {
  const [params, setParams] = useSearchParams();
  return {
    hour: params.get('hour'),
    plan: params.get('plan'),
    change(changed) {
      setParams((before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changed)) next.set(name, value);
        return next;
      });
    },
  };
}

/** A run that is not done: its progress, or how it ended. */
function ReplayProgress({ run, onCancel }: { run: ReplayRun; onCancel: () => Promise<void> }) {
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
