import { setImmediate as nextTurn } from 'node:timers/promises';
import { HOUR } from '../../../common/time.ts';
import type { Change } from '../plans/core/model.ts';
import { listParts, partFile, removePart, type TapePart } from './files.ts';
import { hourEnd, hourOf, written } from './format.ts';
import { openSegment, type Segment } from './segment.ts';

/** Bounds of the tape. */
export interface TapeLimits {
  hours: number;
  /** Of the files. */
  bytes: number;
}

/** An entry to write. Times are epoch ms. `begin`: the state of the market, at the begin of an hour and after a gap. */
export type TapeItem =
  | { type: 'begin'; at: number; changes: readonly Change[] }
  | { type: 'tick'; now: number; changes: readonly Change[] };

/** Changes that are turned into text before the event loop turns: about a millisecond. */
const CHANGES_PER_TURN = 500;

/** The files of the tape while the server runs. Every function rejects when the disk refuses. */
export function createTapeDisk(dir: string, limits: TapeLimits) {
  let segment: Segment | null = null;
  let turned = 0;
  let writtenAt: number | null = null;

  /** Lets the event loop turn after some changes. */
  async function breathe(changes: number): Promise<void> {
    turned += changes;
    if (turned < CHANGES_PER_TURN) return;
    turned = 0;
    await nextTurn();
  }

  async function openNext(at: number): Promise<Segment> {
    await close();
    const hour = hourOf(at);
    const parts = await pruned(dir, limits, at);
    const last = parts.findLast((part) => part.hour === hour)?.number ?? 0;
    return openSegment(partFile(dir, hour, last + 1), at);
  }

  async function begin(at: number, changes: readonly Change[]): Promise<void> {
    const isNext = segment?.hour !== hourOf(at);
    if (segment === null || isNext) segment = await openNext(at);
    for (let from = 0; from < changes.length; from += CHANGES_PER_TURN) {
      const some = changes.slice(from, from + CHANGES_PER_TURN);
      await segment.write([{ s: some.map(written) }]);
      await breathe(some.length);
    }
    await segment.write([{ b: at }]);
    // Within a file a state follows steps that were left out.
    const gap = !isNext && writtenAt !== null ? { from: writtenAt, to: at } : null;
    segment.note({ now: at, ...(gap ? { gap } : {}) });
    writtenAt = at;
  }

  async function close(): Promise<void> {
    const closing = segment;
    segment = null;
    await closing?.close();
  }

  return {
    async write(item: TapeItem): Promise<void> {
      if (item.type === 'begin') return begin(item.at, item.changes);
      // Nothing is open after a refusal of the disk, until the next begin.
      if (segment === null) return;
      const { now, changes } = item;
      await segment.write([changes.length === 0 ? { t: now } : { t: now, c: changes.map(written) }]);
      segment.note({ now, ticks: 1, changes: changes.length });
      writtenAt = now;
      await breathe(changes.length);
    },
    /** Hands everything written to the system. */
    async flush(): Promise<void> {
      await segment?.flush();
    },
    /** Removes the oldest hours until the rest is within the limits. Resolves with false when the present hour alone is beyond them. */
    async prune(now: number): Promise<boolean> {
      const parts = await pruned(dir, limits, now);
      return sizeOf(parts) <= limits.bytes;
    },
    close,
    /** Returns the time of the last begin or tick that was written, epoch ms; null before the first one. */
    writtenAt: () => writtenAt,
  };
}

/** Removes the oldest hours until the rest is within the limits; never the present one. Resolves with the parts that are left. */
async function pruned(dir: string, limits: TapeLimits, now: number): Promise<TapePart[]> {
  const parts = await listParts(dir);
  const oldest = hourOf(now - (limits.hours - 1) * HOUR);
  let bytes = sizeOf(parts);
  const kept: TapePart[] = [];
  for (const part of parts) {
    const isPast = hourEnd(part.hour) <= now;
    if (!isPast || (part.hour >= oldest && bytes <= limits.bytes)) kept.push(part);
    else {
      await removePart(part);
      bytes -= part.bytes;
    }
  }
  return kept;
}

function sizeOf(parts: readonly TapePart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
