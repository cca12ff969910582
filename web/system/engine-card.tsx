import { FlaskConical } from 'lucide-react';
import type { SystemStatus } from '../../common/admin/model.ts';
import { adminTradingCalls } from '../../common/trading/http.ts';
import type { TapeState, TradingStatus } from '../../common/trading/status.ts';
import { request } from '../http/client.ts';
import { callQuery } from '../http/query.ts';
import { useMutation } from '../http/use-mutation.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { ModeBadge } from '../trading/mode-badge.tsx';
import { Button } from '../ui/button.tsx';
import { count, utcTime } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';
import { megabytes, percentiles, type StateLabel } from './labels.ts';
import { Ago, Fact, Facts, StateCard } from './state-card.tsx';
import { StopAllButton } from './stop-all.tsx';

/** Rules and strategies, and the state of trading, updated by `trading-status` events. */
export function AutoBuyEngineCard({ status: { autoBuy } }: { status: SystemStatus }) {
  const { data: trading, error } = useRoomQuery(
    adminTradingCalls.status,
    {},
    'admin',
    'trading-status',
    (_before, status) => status,
  );
  return (
    <StateCard title="Auto-Buy Engine" {...(trading === undefined ? {} : { state: engineStates[trading.state] })}>
      <Facts>
        <Fact label="Active rules">{count(autoBuy.activeRules)}</Fact>
        <Fact label="Active strategies">{count(autoBuy.activeStrategies)}</Fact>
        <Fact label="Transactions today">{count(autoBuy.transactionsToday)}</Fact>
        {trading !== undefined && <TradingFacts trading={trading} />}
      </Facts>
      {trading === undefined && error !== null && (
        <p className="text-muted text-xs">The state of trading could not be fetched: {error}</p>
      )}
      {trading !== undefined && <TradingState trading={trading} />}
    </StateCard>
  );
}

const engineStates: Record<TradingStatus['state'], StateLabel> = {
  running: { text: 'Running', tone: 'accent' },
  stopped: { text: 'Stopped', tone: 'danger' },
  locked: { text: 'Locked', tone: 'danger' },
  off: { text: 'Off', tone: 'warning' },
};

function TradingFacts({ trading }: { trading: TradingStatus }) {
  const { server, orders, oldestAt, today, decisionMs, confirmationMs, engine, tape } = trading;
  return (
    <>
      <Fact label="Network">
        <ModeBadge mode={server} />
      </Fact>
      <Fact label="Waiting / reserved / sent">
        {[orders.created, orders.held, orders.sent].map((one) => count(one)).join(' / ')}
      </Fact>
      <Fact label="Without a verdict">
        <span className={orders.unknown > 0 ? 'font-medium text-risk-medium' : ''}>{count(orders.unknown)}</span>
      </Fact>
      <Fact label="Oldest open order">
        <Ago at={oldestAt} />
      </Fact>
      <Fact label="Confirmed today">{count(today.confirmed)}</Fact>
      <Fact label="Failed today">{failuresText(today)}</Fact>
      <Fact label="Sent after p50 / p99" whole>
        {percentiles(decisionMs.p50, decisionMs.p99)}
      </Fact>
      <Fact label="Confirmed after p50 / p99" whole>
        {percentiles(confirmationMs.p50, confirmationMs.p99)}
      </Fact>
      {engine !== null && <PlanFacts engine={engine} />}
      {server !== 'off' && <TapeFacts tape={tape} />}
    </>
  );
}

const recordings: Record<TapeState, string> = {
  recording: 'Yes',
  waiting: 'Waits for the first step',
  behind: 'With gaps: the disk is too slow',
  disk: 'Paused: the disk refused a write',
  full: 'Paused until the next hour: full',
};

/** The recording of hours for replays. */
function TapeFacts({ tape }: Pick<TradingStatus, 'tape'>) {
  if (tape === null) return <Fact label="Recording for replays">Off by TAPE_HOURS or TAPE_MEGABYTES</Fact>;
  const { state, hours, bytes, gaps, lastAt } = tape;
  const isPaused = state !== 'recording' && state !== 'waiting';
  return (
    <>
      <Fact label="Recording for replays">
        <span className={isPaused ? 'font-medium text-risk-medium' : ''}>{recordings[state]}</span>
      </Fact>
      <Fact label="Recorded hours">
        {count(hours)} ({megabytes(bytes)})
      </Fact>
      <Fact label="Gaps in them">{count(gaps)}</Fact>
      <Fact label="Last recorded">
        <Ago at={lastAt} />
      </Fact>
    </>
  );
}

/** What rules and strategies do at present. */
function PlanFacts({ engine }: { engine: NonNullable<TradingStatus['engine']> }) {
  const { isDeciding, tokens, candidates, evaluatedPerSecond, lagMs } = engine;
  return (
    <>
      <Fact label="Rules and strategies decide">{isDeciding ? 'Yes' : 'Not in this process'}</Fact>
      <Fact label="Considered tokens">{count(tokens)}</Fact>
      <Fact label="Candidates">{count(candidates)}</Fact>
      <Fact label="Evaluated per second">{count(Math.round(evaluatedPerSecond))}</Fact>
      <Fact label="Decided to stored p50 / p99" whole>
        {percentiles(lagMs.p50, lagMs.p99)}
      </Fact>
    </>
  );
}

/** Formats failures with their reasons, the most frequent first: `4: slippage 3, expired 1`. */
function failuresText({ failed, failures }: TradingStatus['today']): string {
  const reasons = Object.entries(failures)
    .sort(([, one], [, other]) => other - one)
    .map(([code, times]) => `${code.replaceAll('-', ' ')} ${count(times)}`);
  return reasons.length === 0 ? count(failed) : `${count(failed)}: ${reasons.join(', ')}`;
}

/** Explains a state that buys nothing, and offers the stop for everybody. */
function TradingState({ trading: { state, stoppedAt } }: { trading: TradingStatus }) {
  if (state === 'off') return <p className="text-muted text-xs">Trading is switched off by TRADING.</p>;
  return (
    <>
      {state === 'stopped' && (
        <p className="text-down text-xs">
          No user can buy{stoppedAt !== null && ` since ${utcTime(stoppedAt)}`}. Sales go on.
        </p>
      )}
      {state === 'locked' && (
        <p className="text-down text-xs">
          Buying with real money is locked: the launchpad's program answered in an unknown way. It is tested again from
          time to time; a passed test ends the lock.
        </p>
      )}
      {state === 'locked' && <TestAgainButton />}
      <StopAllButton isStopped={state === 'stopped'} />
    </>
  );
}

/** Tests the launchpad's program now, which ends the lock of real buying when it passes. */
function TestAgainButton() {
  const store = useStore();
  const { pending, run } = useMutation(async () => {
    const { data } = await request(adminTradingCalls.test);
    store.get(queryClientAtom).setQueryData(callQuery(adminTradingCalls.status, {}).queryKey, data);
    toast(
      data.state === 'locked'
        ? { title: 'Still Locked', description: "The launchpad's program did not pass the test." }
        : { title: 'Test Passed', description: 'Buying with real money is possible again.' },
    );
  });
  return (
    <Button size="sm" className="self-start" busy={pending} onClick={() => void run()}>
      <FlaskConical size={14} strokeWidth={1.75} aria-hidden="true" />
      Test again
    </Button>
  );
}
