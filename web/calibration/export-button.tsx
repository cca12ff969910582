import { Download } from 'lucide-react';
import { calibrationCalls } from '../../common/calibration/http.ts';
import type { CalibrationMarket, CaseCounts } from '../../common/calibration/model.ts';
import { SECOND } from '../../common/time.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toast-store.ts';

/** Saves the counts behind the report as a CSV file: one line for each day, version of the rules, age and score. */
export function ExportButton({ market }: { market: CalibrationMarket }) {
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
