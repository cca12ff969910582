import { setImmediate as nextTurn } from 'node:timers/promises';
import { HOUR } from '../../../common/time.ts';
import type { Change } from '../core/model.ts';
import { listParts, partFile, removePart, type TapePart } from './files.ts';
import { hourEnd, hourOf, type TapeOrder, type TapePosition, written } from './format.ts';
import { openSegment, type Segment } from './segment.ts';

/** Bounds of the tape. */
export interface TapeLimits {
  hours: number;
  /** Of the files. */
  bytes: number;
}

/** The state with which an hour begins. */
export interface TapeBegin {
  changes: readonly Change[];
  positions: readonly TapePosition[];
}

/** An entry to write. Times are epoch ms. */
export type TapeItem =
  | ({ type: 'begin'; at: number; gap: { from: number; to: number } | null } & TapeBegin)
  | { type: 'tick'; now: number; changes: readonly Change[] }
  | { type: 'order'; order: TapeOrder };

/** The files of the tape while the server runs. Every function rejects when the disk refuses. */
export interface TapeDisk {
  write(item: TapeItem): Promise<void>;
  /** Hands everything written to the system. */
  flush(): Promise<void>;
  /** Removes the oldest hours until the rest is within the limits. Resolves with false when the present hour alone is beyond them. */
  prune(now: number): Promise<boolean>;
  close(): Promise<void>;
  /** Returns the time of the last begin or tick that was written, epoch ms; null before the first one. */
  writtenAt(): number | null;
  /** Returns the time until which everything is certainly on the disk, epoch ms; null before the first begin. */
  safeAt(): number | null;
}

/** Changes that are turned into text before the event loop turns: about a millisecond. */
const CHANGES_PER_TURN = 500;

export function createTapeDisk(dir: string, limits: TapeLimits): TapeDisk {
  let segment: Segment | null = null;
  let turned = 0;
  let writtenAt: number | null = null;
  let safeAt: number | null = null;

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

  async function begin({ at, changes, positions, gap }: Extract<TapeItem, { type: 'begin' }>): Promise<void> {
    safeAt ??= at;
    if (segment?.hour !== hourOf(at)) segment = await openNext(at);
    if (gap) await segment.write([{ g: [gap.from, gap.to] }]);
    for (let from = 0; from < changes.length; from += CHANGES_PER_TURN) {
      const some = changes.slice(from, from + CHANGES_PER_TURN);
      await segment.write([{ s: some.map(written) }]);
      await breathe(some.length);
    }
    for (let from = 0; from < positions.length; from += CHANGES_PER_TURN) {
      const some = positions.slice(from, from + CHANGES_PER_TURN);
      await segment.write([{ p: some }]);
      await breathe(some.length);
    }
    await segment.write([{ b: at }]);
    segment.note({ now: at, ...(gap ? { gap } : {}) });
    writtenAt = at;
  }

  async function close(): Promise<void> {
    const closing = segment;
    segment = null;
    if (closing === null) return;
    await closing.close();
    safeAt = writtenAt ?? safeAt;
  }

  return {
    async write(item) {
      if (item.type === 'begin') return begin(item);
      // Nothing is open after a refusal of the disk, until the next begin.
      if (segment === null) return;
      if (item.type === 'order') return segment.write([{ o: item.order }]);
      const { now, changes } = item;
      await segment.write([changes.length === 0 ? { t: now } : { t: now, c: changes.map(written) }]);
      segment.note({ now, ticks: 1, changes: changes.length });
      writtenAt = now;
      await breathe(changes.length);
    },
    async flush() {
      if (segment === null) return;
      await segment.flush();
      safeAt = writtenAt ?? safeAt;
    },
    async prune(now) {
      const parts = await pruned(dir, limits, now);
      return sizeOf(parts) <= limits.bytes;
    },
    close,
    writtenAt: () => writtenAt,
    safeAt: () => safeAt,
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
