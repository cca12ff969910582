import { useEffect, useMemo, useState } from 'react';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run, RunAction } from '../../common/maintenance/model.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';
import { useAtomValue } from '../store.ts';

/** The present or last run of each long work, whoever started it: live by `maintenance`. */
export function useRuns(): UserQuery<Run[]> {
  // Kept beside the cache: an answer that was on its way while an event came would take a run's end back.
  const [heard, setHeard] = useState<readonly Run[]>([]);
  const query = useRoomQuery(maintenanceCalls.runs, {}, 'admin', (update) => ({
    maintenance: (run) => {
      setHeard((before) => withRun(before, run));
      update((before) => withRun(before, run));
    },
  }));
  const { phase } = useAtomValue(linkAtom);
  useEffect(() => {
    // What happened meanwhile was not heard, and a server that began anew knows nothing of the runs before.
    if (phase !== 'live') setHeard([]);
  }, [phase]);
  const { data } = query;
  const runs = useMemo(() => data && heard.reduce<Run[]>((known, run) => withRun(known, run), data), [data, heard]);
  return { ...query, data: runs };
}

/** The run of that work; null when there was none since the server's start. */
export function runOf(runs: readonly Run[] | undefined, action: RunAction): Run | null {
  return runs?.find((run) => run.action === action) ?? null;
}

/** The newer of two states of knowledge stays. */
function withRun(runs: readonly Run[], run: Run): Run[] {
  const known = runOf(runs, run.action);
  if (known !== null && isLater(known, run)) return [...runs];
  return [run, ...runs.filter((one) => one !== known)];
}

function isLater(one: Run, other: Run): boolean {
  if (one.id !== other.id) return one.startedAt > other.startedAt;
  if (one.state !== other.state) return other.state === 'running';
  return one.done > other.done;
}
