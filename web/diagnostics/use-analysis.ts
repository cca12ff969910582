import { useState } from 'react';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { runOf, useRuns } from '../maintenance/use-runs.ts';
import { count } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';

export interface Analysis {
  /** An analysis is under way, started here or by another administrator. */
  running: boolean;
  /** How far it is; null while none is under way. */
  progress: string | null;
  run: () => Promise<void>;
}

/** Looks at all tokens anew for the lists, and shows how far that is. `onDone`: the figures have changed. */
export function useAnalysis(onDone: () => void): Analysis {
  const [busy, setBusy] = useState(false);
  const last = runOf(useRuns().data, 'analyze-runner-tokens');
  const under = last?.state === 'running' ? last : null;

  async function run(): Promise<void> {
    setBusy(true);
    try {
      const { data } = await request(maintenanceCalls.analyzeRunnerTokens);
      toast({ title: 'Analysis Complete', description: data.message });
      onDone();
    } catch (reason) {
      const description = reason instanceof HttpError ? reason.message : 'Something went wrong.';
      toast({ title: 'Analysis Failed', description, variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  }

  return { running: busy || under !== null, progress: under === null ? null : progressOf(under), run };
}

function progressOf({ done, total }: Run): string {
  return total === null ? `${count(done)} tokens analyzed` : `${count(done)} of ${count(total)} tokens analyzed`;
}
