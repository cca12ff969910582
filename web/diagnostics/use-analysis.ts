import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { runOf, useRuns } from '../maintenance/use-runs.ts';
import { count } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';

export interface Analysis {
  /** Whether an analysis is running, started here or by another administrator. */
  running: boolean;
  /** Text about its progress; null while none is running. */
  progress: string | null;
  run: () => Promise<void>;
}

/** Analyzes all tokens for the lists again, with progress. `onDone` is called when the figures have changed. */
export function useAnalysis(onDone: () => void): Analysis {
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
