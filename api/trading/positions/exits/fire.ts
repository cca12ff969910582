import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { SECOND } from '../../../../common/time.ts';
import { exitAt, type FiredExit } from '../../../../common/trading/exits.ts';
import { pause } from '../../../platform/resilience.ts';
import type { PositionRecord } from '../model.ts';
import type { PositionService } from '../service.ts';
import { firedSteps, isWhole, sellsAll, withFired } from './exit-record.ts';

/** Pause after a failed write: the database is away. */
const OUTAGE_PAUSE = SECOND;
/** Positions whose exits are stored by one write: thousands may fire in a fall of the market. */
const STORED_AT_ONCE = 500;

/** A price of a position at a time (epoch ms), with the highest one before it. */
export interface Judged {
  price: number | null;
  at: number;
  peak: number;
}

/** An exit that has fired and is not stored yet. */
interface Firing extends Judged {
  fired: FiredExit;
}

export interface FireDeps {
  updateAll: PositionService['updateAll'];
  /** Receives a position whose exit was stored. */
  onFired(position: PositionRecord): void;
  signal: AbortSignal;
  log: Logger;
}

/** Returns the exit that a price fires; null when it fires none, or everything is about to be sold. */
export function firedAt(
  position: PositionRecord,
  { price, at, peak }: Judged,
  pending: readonly Firing[] = [],
): FiredExit | null {
  if (sellsAll(position) || pending.some(({ fired }) => isWhole(fired))) return null;
  const { entryPrice, openedAt, exits } = position;
  const stepsDone = [...firedSteps(position), ...pending.flatMap(({ fired }) => fired.steps)];
  return exitAt(exits, { entryPrice, peakPrice: peak, openedAt: openedAt.getTime(), stepsDone }, price, at);
}

/** Judges positions, and stores the exits that fire, each once and in their order. */
export function createFireExits({ updateAll, onFired, signal, log }: FireDeps) {
  /** By position; its exits oldest first, at most one for each step and one for the rest. */
  const pending = new Map<string, { id: Types.ObjectId; firings: Firing[] }>();
  let storing: Promise<void> | null = null;

  /** Stores the oldest pending exit of some positions, unless the user has changed the exits meanwhile so that the price fires none. */
  async function storeBatch(): Promise<void> {
    const batch = [...pending.values()].slice(0, STORED_AT_ONCE);
    const after = await updateAll(
      batch.map(({ id, firings: [first] }) => ({
        id,
        change(before) {
          const fired = first ? firedAt(before, first) : null;
          return fired && withFired(before, fired);
        },
      })),
    );
    for (const { id, firings } of batch) {
      firings.shift();
      if (firings.length === 0) pending.delete(id.toHexString());
    }
    for (const position of after) if (position.exit) onFired(position);
  }

  /** Stores pending exits through outages: one that has fired is not given up. At the stop each has one more try. */
  async function storeAll(): Promise<void> {
    while (pending.size > 0) {
      try {
        await storeBatch();
      } catch (error) {
        if (signal.aborted) break;
        log.warn({ positions: pending.size, error }, 'exits were not stored, retrying');
        await pause(OUTAGE_PAUSE, signal);
      }
    }
    storing = null;
  }

  return {
    judge(position: PositionRecord, judged: Judged): void {
      if (signal.aborted) return;
      const id = position._id.toHexString();
      const before = pending.get(id);
      const fired = firedAt(position, judged, before?.firings);
      if (fired === null) return;
      const firing = { ...judged, fired };
      if (before) before.firings.push(firing);
      else pending.set(id, { id: position._id, firings: [firing] });
      storing ??= storeAll();
    },
    /** Resolves when every exit that has fired is stored; after the stop, or has failed to be. */
    async settled(): Promise<void> {
      await storing;
    },
  };
}
