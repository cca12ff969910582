import { Play } from 'lucide-react';
import { useId } from 'react';
import type { SystemStatus } from '../../common/admin/model.ts';
import { NO_POLLED_SOURCE, sourceLabels } from '../../common/sources/model.ts';
import { BLOCKED, RunStatus } from '../maintenance/run-status.tsx';
import { useRuns } from '../maintenance/use-runs.ts';
import { useTokenAction } from '../maintenance/use-token-action.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { interval, type StateLabel, sourceStates } from './labels.ts';
import { Ago, Fact, Facts, StateCard, Until } from './state-card.tsx';

/** The sources the specification lists for the aggregator, in its order. */
const listedSources = ['token-list', 'solanafm', 'solscan', 'jupiter'] as const;

/** The aggregator, which polls all sources on a schedule and on demand. */
export function AggregatorCard({ status }: { status: SystemStatus }) {
  const { data: runs } = useRuns();
  const action = useTokenAction('run-multi-source-aggregator', runs);
  const { aggregator, sources } = status;
  const reasonId = useId();
  const disabledBy = action.blocked ? BLOCKED : isOff(aggregator) && !action.running ? NO_POLLED_SOURCE : null;
  return (
    <StateCard title="Multi-Source Aggregator" state={stateOf(aggregator, action.running)}>
      <Facts>
        <Fact label="Interval">{interval(aggregator.intervalMs)}</Fact>
        <Fact label="Last run">
          <Ago at={aggregator.lastRunAt} />
        </Fact>
        <Fact label="Next run">
          <Until at={aggregator.nextRunAt} />
        </Fact>
      </Facts>
      <ul aria-label="Sources of the aggregator" className="flex flex-col gap-1.5 border-line border-t pt-3 text-sm">
        {listedSources.map((name) => {
          const { text, tone } = sourceStates[sources.find(({ source }) => source === name)?.state ?? 'off'];
          return (
            <li key={name} className="flex items-center justify-between gap-3">
              <span className="min-w-0 truncate">{sourceLabels[name]}</span>
              <Badge tone={tone}>{text}</Badge>
            </li>
          );
        })}
      </ul>
      <div>
        <Button
          busy={action.running}
          disabled={disabledBy !== null}
          aria-describedby={disabledBy === null ? undefined : reasonId}
          onClick={() => void action.start()}
        >
          <Play size={14} strokeWidth={1.75} aria-hidden="true" />
          Run Now
        </Button>
      </div>
      {disabledBy !== null && (
        <p id={reasonId} className="text-muted text-xs">
          {disabledBy}
        </p>
      )}
      {disabledBy !== NO_POLLED_SOURCE && <RunStatus run={action.run} />}
    </StateCard>
  );
}

function stateOf(aggregator: SystemStatus['aggregator'], startedHere: boolean): StateLabel {
  if (aggregator.running || startedHere) return { text: 'Running', tone: 'accent' };
  return isOff(aggregator) ? { text: 'Off', tone: 'warning' } : { text: 'Waiting', tone: 'neutral' };
}

/** Returns whether no source can be polled: with one, a next run is always planned. */
function isOff({ running, nextRunAt }: SystemStatus['aggregator']): boolean {
  return !running && nextRunAt === null;
}
