import { maintenanceCalls } from '../../common/maintenance/http.ts';
import type { Run, RunAction } from '../../common/maintenance/model.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';

/** Returns the current or last run of each maintenance action, by any administrator; updated by `maintenance` events. */
export function useRuns(): UserQuery<Run[]> {
  return useRoomQuery(maintenanceCalls.runs, {}, 'admin', 'maintenance', withRun);
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
