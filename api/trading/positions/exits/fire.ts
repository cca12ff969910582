import type { Logger } from 'pino';
import { SECOND } from '../../../../common/time.ts';
import { exitAt, exitsFrom, type FiredExit } from '../../../../common/trading/exits.ts';
import { loggable } from '../../../platform/log.ts';
import { pause } from '../../../platform/resilience.ts';
import type { PositionRecord } from '../record.ts';
import type { PositionService } from '../service.ts';
import { firedSteps, isWhole, sellsAll, withFired } from './exit-record.ts';

/** Pause after a failed write: the database is away. */
const OUTAGE_PAUSE = SECOND;

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

/** Judges positions, and stores the exits that fire, each once and in their order. */
export interface FireExits {
  judge(position: PositionRecord, judged: Judged): void;
  /** Resolves after the present writes. */
  settled(): Promise<void>;
}

export interface FireDeps {
  update: PositionService['update'];
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
  return exitAt(exitsFrom(exits), { entryPrice, peakPrice: peak, openedAt: openedAt.getTime(), stepsDone }, price, at);
}

export function createFireExits({ update, onFired, signal, log }: FireDeps): FireExits {
  /** By position, oldest first; at most one for each step and one for the rest. */
  const pending = new Map<string, Firing[]>();
  const storing = new Set<Promise<void>>();

  /** Stores an exit, unless the user has changed the exits meanwhile so that the price fires none. */
  async function store({ _id }: PositionRecord, firing: Firing): Promise<void> {
    const after = await update(_id, (before) => {
      const fired = firedAt(before, firing);
      return fired && withFired(before, fired);
    });
    if (after?.exit) onFired(after);
  }

  /** Stores the pending exits of a position through outages: one that has fired is not given up. */
  async function storeAll(position: PositionRecord): Promise<void> {
    const id = position._id.toHexString();
    const firings = pending.get(id) ?? [];
    for (let firing = firings[0]; firing && !signal.aborted; firing = firings[0]) {
      try {
        await store(position, firing);
        firings.shift();
      } catch (error) {
        log.warn({ position: id, error: loggable(error) }, 'exit was not stored, retrying');
        await pause(OUTAGE_PAUSE, signal);
      }
    }
    pending.delete(id);
  }

  return {
    judge(position, judged) {
      if (signal.aborted) return;
      const id = position._id.toHexString();
      const before = pending.get(id);
      const fired = firedAt(position, judged, before);
      if (fired === null) return;
      const firing = { ...judged, fired };
      if (before) return void before.push(firing);
      pending.set(id, [firing]);
      const done = storeAll(position).finally(() => storing.delete(done));
      storing.add(done);
    },
    async settled() {
      await Promise.all(storing);
    },
  };
}
