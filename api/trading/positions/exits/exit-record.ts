import type { Types } from 'mongoose';
import { type FiredExit, mergedExit } from '../../../../common/trading/exits.ts';
import type { ExitRecord, PositionRecord } from '../model.ts';

/** Returns whether an exit sells the whole position: nothing can fire after it. */
export function isWhole({ sharePercent }: Pick<FiredExit, 'sharePercent'>): boolean {
  return sharePercent === 100;
}

/** Returns what a stored exit sells. */
export function firedOf({ kind, sharePercent, steps }: ExitRecord): FiredExit {
  return { kind, sharePercent, steps };
}

/** Returns the steps that have fired, including steps that are not sold yet. */
export function firedSteps({ stepsDone, exit }: Pick<PositionRecord, 'stepsDone' | 'exit'>): number[] {
  return [...stepsDone, ...(exit?.steps ?? []), ...(exit?.next?.steps ?? [])];
}

/** Returns whether everything is about to be sold. */
export function sellsAll({ exit }: Pick<PositionRecord, 'exit'>): boolean {
  return exit !== null && (isWhole(firedOf(exit)) || (exit.next !== null && isWhole(exit.next)));
}

/** Returns the position with an exit that fires: now, or after the sale of a part that is under way. Null when everything is sold anyway. */
export function withFired(position: PositionRecord, fired: FiredExit): PositionRecord | null {
  const { exit } = position;
  if (exit === null) return begun(position, fired);
  if (sellsAll(position)) return null;
  return { ...position, exit: { ...exit, next: mergedExit(exit.next, fired) } };
}

/** Returns the position after the sale of its exit, with the exit that has fired meanwhile. */
export function afterSold(position: PositionRecord, exit: ExitRecord): PositionRecord {
  const rest: PositionRecord = {
    ...position,
    stepsDone: [...position.stepsDone, ...exit.steps],
    status: 'open',
    exit: null,
  };
  return exit.next ? begun(rest, exit.next) : rest;
}

/** Returns the position after an order of its exit has failed. The next order gets another key. */
export function afterFailed(position: PositionRecord, exit: ExitRecord, attempts: number): PositionRecord {
  const failures = exit.failures + Math.max(1, attempts);
  return promoted({ ...position, exitSeq: position.exitSeq + 1 }, { ...exit, failures });
}

/**
 * Returns the position with the exit that is carried out next while the present one has no open order: the sale of everything that
 * has fired meanwhile takes its place, and further steps are added to it.
 */
function promoted(position: PositionRecord, exit: ExitRecord): PositionRecord {
  const { next } = exit;
  if (next === null) return { ...position, exit };
  const fired = mergedExit(firedOf(exit), next);
  if (isWhole(fired)) return { ...position, status: 'closing', exit: recordOf(fired) };
  return { ...position, exit: { ...exit, ...fired, next: null } };
}

/**
 * Returns the position whose exit does not get through: with the sale of everything that has fired meanwhile, or stuck. Null when it
 * was stuck before. `stuckId`: of the user's alert.
 */
export function afterRefused(
  position: PositionRecord,
  exit: ExitRecord,
  stuckId: Types.ObjectId,
): PositionRecord | null {
  if (exit.next) return promoted(position, exit);
  if (position.status === 'stuck') return null;
  return { ...position, status: 'stuck', exit: { ...exit, stuckId } };
}

function begun(position: PositionRecord, fired: FiredExit): PositionRecord {
  const status = isWhole(fired) ? 'closing' : position.status;
  return { ...position, status, exit: recordOf(fired), exitSeq: position.exitSeq + 1 };
}

function recordOf(fired: FiredExit): ExitRecord {
  return { ...fired, next: null, failures: 0, stuckId: null };
}
