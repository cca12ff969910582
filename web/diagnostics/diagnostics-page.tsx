import { Activity, RotateCw } from 'lucide-react';
import { diagnosticsCalls } from '../../common/diagnostics/http.ts';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { VerdictTab } from '../calibration/verdict-tab.tsx';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { Loaded } from '../http/loaded.tsx';
import { useMutation } from '../http/use-mutation.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { Age } from '../live/hooks/age.tsx';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import { runOf, useRuns } from '../maintenance/use-runs.ts';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { toast } from '../ui/toast-store.ts';
import { AgeCard, MetricsCard, OverviewCard } from './count-cards.tsx';
import { CoverageTable } from './coverage-table.tsx';
import { MightRunSamples, RunnerSamples } from './sample-tables.tsx';
import { SourceCoverage } from './source-coverage.tsx';

/** The administrators' page about token detection, and about how often the verdict was right. */
export default function DiagnosticsPage() {
  usePageTitle('Diagnostics');
  return (
    <Tabs
      label="Diagnostics"
      tabs={[
        { id: 'detection', label: 'Detection', content: <DetectionTab /> },
        { id: 'verdict', label: 'Verdict', content: <VerdictTab /> },
      ]}
    />
  );
}

/** Completeness and latency of token detection. */
function DetectionTab() {
  const query = useRoomQuery(
    diagnosticsCalls.detectionStats,
    {},
    'diagnostics',
    'detection-stats',
    (_before, stats) => stats,
  );
  const { data, loading, reload } = query;
  const analysis = useAnalysis(() => void reload());
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted text-sm">
          Token detection
          {data !== undefined && (
            <>
              , as of <Age at={data.at} /> ago
            </>
          )}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          {analysis.progress !== null && (
            <span role="status" className="text-muted text-sm tabular-nums">
              {analysis.progress}
            </span>
          )}
          <Button size="sm" busy={loading} onClick={() => void reload()}>
            <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />
            Refresh Stats
          </Button>
          <Button size="sm" variant="primary" busy={analysis.running} onClick={() => void analysis.run()}>
            <Activity size={14} strokeWidth={1.75} aria-hidden="true" />
            Run Token Analysis
          </Button>
        </div>
      </div>
      <Loaded query={query} problem="The statistics could not be loaded" waiting={<Waiting />}>
        {(stats) => <Statistics stats={stats} />}
      </Loaded>
    </div>
  );
}

function Statistics({ stats }: { stats: DetectionStats }) {
  return (
    <>
      <div className="grid min-w-0 gap-3 lg:grid-cols-3">
        <OverviewCard stats={stats} />
        <AgeCard stats={stats} />
        <MetricsCard stats={stats} />
      </div>
      <CoverageTable stats={stats} />
      <SourceCoverage coverage={stats.coverage} />
      <div className="grid min-w-0 items-start gap-3 xl:grid-cols-2">
        <MightRunSamples tokens={stats.sampleMightRunTokens} />
        <RunnerSamples tokens={stats.sampleRunnerTokens} />
      </div>
    </>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading the statistics" className="grid gap-3 lg:grid-cols-3">
      <Skeleton className="h-56 rounded-lg" />
      <Skeleton className="h-56 rounded-lg" />
      <Skeleton className="h-56 rounded-lg" />
    </div>
  );
}

interface Analysis {
  /** Whether an analysis is running, started here or by another administrator. */
  running: boolean;
  /** Text about its progress; null while none is running. */
  progress: string | null;
  run: () => Promise<void>;
}

/** Analyzes all tokens for the lists again, with progress. `onDone` is called when the figures have changed. */
function useAnalysis(onDone: () => void): Analysis {
  const { pending, run } = useMutation(
    async () => {
      const { data } = await request(maintenanceCalls.analyzeRunnerTokens);
      toast({ title: 'Analysis Complete', description: data.message });
      onDone();
    },
    (reason) => {
      const description = errorText(reason, 'Something went wrong.');
      toast({ title: 'Analysis Failed', description, variant: 'destructive' });
    },
  );
  const last = runOf(useRuns().data, 'analyze-runner-tokens');
  const current = last?.state === 'running' ? last : null;
  return { running: pending || current !== null, progress: current && progressOf(current), run };
}

function progressOf({ done, total }: Run): string {
  return total === null ? `${count(done)} tokens analyzed` : `${count(done)} of ${count(total)} tokens analyzed`;
}
