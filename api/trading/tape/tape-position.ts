import { firedSteps } from '../positions/exits/exit-record.ts';
import type { PositionRecord } from '../positions/record.ts';
import type { TapePosition } from './format.ts';

/** Returns an open position as the tape records it; null for one that is not on paper. `peakPrice`: its highest price so far. */
export function tapePositionOf(position: PositionRecord, peakPrice: number): TapePosition | null {
  if (position.mode !== 'paper') return null;
  const ids = { id: position._id.toHexString(), userId: position.userId.toHexString() };
  return { ...ids, peakPrice, stepsDone: firedSteps(position), isSelling: position.exit !== null };
}
