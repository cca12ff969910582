import { useEffect, useMemo, useState } from 'react';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run, RunAction } from '../../common/maintenance/model.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { useLiveEvent, useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';
import { useAtomValue } from '../store.ts';

/** Returns the current or last run of each maintenance action, by any administrator; updated by `maintenance` events. */
export function useRuns(): UserQuery<Run[]> {
  // Kept outside the cache: a response already in flight when an event arrives would undo the end of a run.
  const [received, setReceived] = useState<readonly Run[]>([]);
  const query = useRoomQuery(maintenanceCalls.runs, {}, 'admin', 'maintenance', withRun);
  useLiveEvent('maintenance', (run) => setReceived((before) => withRun(before, run)));
  const { phase } = useAtomValue(linkAtom);
  useEffect(() => {
    // Events are missed while the connection is down, and a restarted server has no earlier runs.
    if (phase !== 'live') setReceived([]);
  }, [phase]);
  const { data } = query;
  const runs = useMemo(
    () => data && received.reduce<Run[]>((known, run) => withRun(known, run), data),
    [data, received],
  );
  return { ...query, data: runs };
}

/** Returns the run of an action; null when there was none since the server started. */
export function runOf(runs: readonly Run[] | undefined, action: RunAction): Run | null {
  return runs?.find((run) => run.action === action) ?? null;
}

/** Returns the runs with this one, unless a later state of it is already known. */
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
