import { Download } from 'lucide-react';
import { useState } from 'react';
import { calibrationCalls } from '../../common/calibration/http.ts';
import {
  type CalibrationMarket,
  type CalibrationReport,
  type CaseCounts,
  calibrationMarketSchema,
} from '../../common/calibration/model.ts';
import { CALIBRATION_AGES } from '../../common/calibration/rules.ts';
import { SECOND } from '../../common/time.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { Loaded } from '../http/loaded.tsx';
import { useMutation } from '../http/use-mutation.ts';
import { Age } from '../live/hooks/age.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast-store.ts';
import { ReliabilityCard } from './reliability-card.tsx';
import { AgeTable, BandTable, RunnerTable } from './tables.tsx';
import { marketNames } from './text.ts';

/** Polling interval, ms: cases settle a few times a minute. */
const POLL_MS = 15_000;

const options = calibrationMarketSchema.options.map((value) => ({ value, label: marketNames[value] }));

/** Shows how often risk score and runner list were right, in one market at a time. */
export function VerdictTab() {
  const [chosen, setChosen] = useState<CalibrationMarket | null>(null);
  const query = useUserQuery(
    calibrationCalls.report,
    // Without a choice: the market that the server follows.
    { query: chosen === null ? {} : { market: chosen } },
    POLL_MS,
  );
  return (
    <Loaded query={query} problem="The calibration could not be loaded" waiting={<Waiting />}>
      {(report) => <Report report={report} onMarket={setChosen} />}
    </Loaded>
  );
}

function Report({ report, onMarket }: { report: CalibrationReport; onMarket: (market: CalibrationMarket) => void }) {
  const [age, setAge] = useState<number>(CALIBRATION_AGES[1]);
  const current = report.ages.find((one) => one.age === age);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted text-sm">
          Rules version {report.rulesVersion}
          {report.since !== null && `, cases since ${report.since}`}, as of <Age at={report.at} /> ago
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <div className="w-44">
            <Select aria-label="Market" value={report.market} options={options} onChange={onMarket} />
          </div>
          <ExportButton market={report.market} />
        </div>
      </div>
      <div className="grid min-w-0 items-start gap-3 xl:grid-cols-2">
        <ReliabilityCard ages={report.ages} age={age} onAge={setAge} />
        <div className="flex min-w-0 flex-col gap-3">
          {current !== undefined && <BandTable calibration={current} />}
          <AgeTable ages={report.ages} />
        </div>
      </div>
      {current !== undefined && <RunnerTable calibration={current} />}
      <LeftOut report={report} />
    </div>
  );
}

/** Names the coins that the figures do not contain. */
function LeftOut({ report: { pending, leftOut } }: { report: CalibrationReport }) {
  return (
    <p className="text-muted text-xs">
      Every coin is recorded at 30 s, 2 min, 10 min and 1 h, and settled an hour later; {count(pending)} wait for their
      outcome. Left out: {count(leftOut.small)} with less than 0.5 SOL of liquidity, {count(leftOut.incomplete)} with
      missed trades, {count(leftOut.interrupted)} during which the server did not run. Kept for 90 days.
    </p>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading the calibration" className="grid gap-3 xl:grid-cols-2">
      <Skeleton className="h-80 rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  );
}

/** Saves the counts behind the report as a CSV file: one line for each day, version of the rules, age and score. */
function ExportButton({ market }: { market: CalibrationMarket }) {
  const { pending, run } = useMutation(
    async () => {
      const { data } = await request(calibrationCalls.counts, { query: { market } });
      saveFile(`mintwatch-calibration-${market}-${new Date().toISOString().slice(0, 10)}.csv`, await countsAsCsv(data));
    },
    (reason) => {
      const description = errorText(reason, 'Something went wrong.');
      toast({ title: 'Export failed', description, variant: 'destructive' });
    },
  );
  return (
    <Button size="sm" busy={pending} onClick={() => void run()}>
      <Download size={14} strokeWidth={1.75} aria-hidden="true" />
      Export CSV
    </Button>
  );
}

/** Returns the counts as CSV with a header line. An unknown score is empty. */
export async function countsAsCsv(counts: readonly CaseCounts[]): Promise<string> {
  // Loaded on demand: only an export needs it.
  const { unparse } = await import('papaparse');
  return unparse(counts.map(csvRow));
}

function csvRow(counts: CaseCounts) {
  return {
    Day: counts.day,
    Market: counts.market,
    'Rules version': counts.rulesVersion,
    'Age (s)': counts.age / SECOND,
    Score: counts.score,
    Coins: counts.cases,
    'Lost 80 %': counts.lost,
    Doubled: counts.doubled,
    'On the curve': counts.onCurve,
    Graduated: counts.graduated,
    Runners: counts.runners,
    'Runners doubled': counts.runnersDoubled,
    'Runners on the curve': counts.runnersOnCurve,
    'Runners graduated': counts.runnersGraduated,
  };
}
