import { createReadStream } from 'node:fs';
import { constants, createGunzip } from 'node:zlib';
import { type Clock, SECOND } from '../../../common/time.ts';
import type { TradingStatus } from '../../../common/trading/status.ts';
import { cachedValue } from '../../platform/cached-value.ts';
import type { Change } from '../plans/core/model.ts';
import { listParts, readIndex, type TapePart } from './files.ts';
import { hourBegin, hourEnd, lineOf, readChange, TAPE_VERSION, type TapeEntry } from './format.ts';
import type { Tape } from './tape.ts';

/** Figures of the files are reused for this long, ms: they are read from the disk. */
const FILES_MS = 10 * SECOND;

/** Times between two entries that are no gap, ms: a step may be late. */
export const LATE_MS = 5_000;

/** An hour of the tape. Times are epoch ms. */
export interface TapeHour {
  hour: string;
  from: number;
  to: number;
  ticks: number;
  changes: number;
  /** Of its files. */
  bytes: number;
  gaps: { from: number; to: number }[];
}

/** Returns the hours of a folder that this version can replay, oldest first. `now`: end of the present hour's gaps, epoch ms. */
export async function listHours(dir: string, now: number): Promise<TapeHour[]> {
  const hours = new Map<string, TapeHour>();
  for (const part of await listParts(dir)) {
    const index = await readIndex(part);
    if (index === null || index.version !== TAPE_VERSION) continue;
    const known = hours.get(part.hour) ?? emptyHour(part.hour);
    hours.set(part.hour, {
      ...known,
      from: Math.min(known.from, index.from),
      to: index.to,
      ticks: known.ticks + index.ticks,
      changes: known.changes + index.changes,
      bytes: known.bytes + part.bytes,
      gaps: [...known.gaps, ...gapBetween(known.to, index.from), ...index.gaps],
    });
  }
  return [...hours.values()].map((hour) => withLastGap(hour, now));
}

function emptyHour(hour: string): TapeHour {
  const at = hourBegin(hour);
  return { hour, from: Number.POSITIVE_INFINITY, to: at, ticks: 0, changes: 0, bytes: 0, gaps: [] };
}

function withLastGap(hour: TapeHour, now: number): TapeHour {
  return { ...hour, gaps: [...hour.gaps, ...gapBetween(hour.to, Math.min(hourEnd(hour.hour), now))] };
}

function gapBetween(from: number, to: number): { from: number; to: number }[] {
  return to - from > LATE_MS ? [{ from, to }] : [];
}

/**
 * Yields the entries of an hour in their order. The rest of a line or file that a crash has cut off is left out; a gap is yielded
 * before each state but the first one, since only steps that were left out make a new state necessary. Nothing for an hour that is not recorded.
 */
export async function* readHour(dir: string, hour: string): AsyncGenerator<TapeEntry> {
  const parts = (await listParts(dir)).filter((part) => part.hour === hour);
  let last: number | null = null;
  for (const part of parts) {
    for await (const entry of readPart(part)) {
      if (entry.type === 'begin' && last !== null && entry.at > last) {
        yield { type: 'gap', from: last, to: entry.at };
      }
      last = entry.type === 'begin' ? entry.at : entry.now;
      yield entry;
    }
  }
}

/** Yields the entries of a file. */
async function* readPart({ file }: TapePart): AsyncGenerator<Exclude<TapeEntry, { type: 'gap' }>> {
  let state: Change[] = [];
  for await (const text of linesOf(file)) {
    const line = lineOf(text);
    if (line === null || ('v' in line && line.v !== TAPE_VERSION)) return;
    if ('s' in line) for (const change of line.s) state.push(readChange(change));
    else if ('t' in line) yield { type: 'tick', now: line.t, changes: (line.c ?? []).map(readChange) };
    else if ('b' in line) {
      yield { type: 'begin', at: line.b, changes: state };
      state = [];
    }
  }
}

/** Yields the lines of a compressed file up to its end, or to where a crash has cut it off. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  input.on('error', (error) => gunzip.destroy(error));
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of input.pipe(gunzip)) {
      if (!(chunk instanceof Uint8Array)) continue;
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (!isCutOff(error)) throw error;
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

/** Returns whether compressed data is damaged, as the end of a file that was written during a power failure. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

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
