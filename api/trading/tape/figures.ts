import { type Clock, SECOND } from '../../../common/time.ts';
import type { TradingStatus } from '../../../common/trading/status.ts';
import { cachedValue } from '../../platform/cached-value.ts';
import { listHours } from './reader.ts';
import type { Tape } from './tape.ts';

/** Figures of the files are reused for this long, ms: they are read from the disk. */
const FILES_MS = 10 * SECOND;

/** Creates the function that returns the state of the tape in a folder for administrators. */
export function createTapeFigures(deps: {
  dir: string;
  tape: Pick<Tape, 'state'>;
  clock: Clock;
}): () => Promise<NonNullable<TradingStatus['tape']>> {
  const { dir, tape, clock } = deps;
  const files = cachedValue(() => filesIn(dir, clock.now()), { maxAge: FILES_MS, clock });
  return async () => {
    const { state, lastAt } = tape.state();
    return { state, ...(await files.read()), lastAt: lastAt === null ? null : new Date(lastAt).toISOString() };
  };
}

async function filesIn(dir: string, now: number): Promise<{ hours: number; bytes: number; gaps: number }> {
  const hours = await listHours(dir, now);
  return {
    hours: hours.length,
    bytes: hours.reduce((sum, { bytes }) => sum + bytes, 0),
    gaps: hours.reduce((sum, { gaps }) => sum + gaps.length, 0),
  };
}
