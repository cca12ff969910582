import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { SECOND } from '../../../../common/time.ts';
import { peakAfter } from '../../../../common/trading/exits.ts';
import type { PositionRecord } from '../model.ts';
import type { OpenBook } from '../open-book.ts';
import type { PositionStore } from '../store.ts';

/** Interval in which risen peaks are stored, ms: as much is lost by a crash. */
const STORE_MS = 10 * SECOND;

interface PeaksDeps {
  book: Pick<OpenBook, 'get'>;
  store: Pick<PositionStore, 'raisePeaks'>;
  log: Logger;
}

export type Peaks = ReturnType<typeof createPeaks>;

/**
 * The highest prices of open positions. They are kept in memory and stored every 10 s where a trailing stop needs them, and all of
 * them at the stop.
 */
export function createPeaks({ book, store, log }: PeaksDeps) {
  /** Raised since they were loaded, by position. */
  const raised = new Map<string, number>();
  /** Raised peaks as they were written last, with the version of the position: a later one may have replaced them. */
  const written = new Map<string, { peak: number; version: number }>();
  let timer: NodeJS.Timeout | undefined;
  let present: Promise<void> = Promise.resolve();

  const of = (position: PositionRecord): number =>
    Math.max(position.entryPrice, position.peakPrice ?? 0, raised.get(position._id.toHexString()) ?? 0);

  function isDue(position: PositionRecord, peak: number, withAll: boolean): boolean {
    if (peak <= Math.max(position.entryPrice, position.peakPrice ?? 0)) return false;
    if (!withAll && position.exits.trailingPercent === null) return false;
    const last = written.get(position._id.toHexString());
    return last?.peak !== peak || last.version !== position.version;
  }

  async function write(withAll: boolean): Promise<void> {
    const due: { position: PositionRecord; peak: number }[] = [];
    for (const [id, peak] of raised) {
      const position = book.get(id);
      if (!position) {
        raised.delete(id);
        written.delete(id);
      } else if (isDue(position, peak, withAll)) due.push({ position, peak });
    }
    if (due.length === 0) return;
    await store.raisePeaks(due.map(({ position: { _id }, peak }) => ({ _id, peak })));
    for (const { position, peak } of due) {
      written.set(position._id.toHexString(), { peak, version: position.version });
    }
  }

  function storeAll(withAll: boolean): Promise<void> {
    present = present
      .then(() => write(withAll))
      .catch((error: unknown) => log.warn({ error }, 'peaks of positions were not stored'));
    return present;
  }

  return {
    /** Returns the highest price of a position since it was opened, at least the price paid. */
    of,
    /** Takes a further price of a position; unknown prices change nothing. */
    raise(_id: Types.ObjectId, price: number | null): void {
      const id = _id.toHexString();
      if (price !== null) raised.set(id, peakAfter(raised.get(id) ?? 0, price));
    },
    start(): void {
      timer ??= setInterval(() => void storeAll(false), STORE_MS);
      timer.unref();
    },
    /** Resolves when all peaks are stored. */
    stop(): Promise<void> {
      clearInterval(timer);
      return storeAll(true);
    },
  };
}
