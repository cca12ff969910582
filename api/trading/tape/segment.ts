import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { type PartIndex, writeIndex } from './files.ts';
import { hourOf, TAPE_VERSION, type TapeLine, textOf } from './format.ts';

/** Fast rather than small: the tape is written beside the live feed. */
const LEVEL = 3;
/** Gaps that an index lists. */
const GAPS_MAX = 100;

/** One file of the tape while it is written. */
export interface Segment {
  readonly hour: string;
  readonly file: string;
  /** Compressed so far. */
  bytes(): number;
  /** Adds lines to the file; resolves once the compressor has taken them. Rejects when the disk refuses. */
  write(lines: readonly TapeLine[]): Promise<void>;
  /** Notes written entries for the index. */
  note(noted: { now: number; ticks?: number; changes?: number; gap?: { from: number; to: number } }): void;
  /** Hands everything to the system, so that a crash of the process does not lose it, and writes the index. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Begins a new file. `at`: time of its first entry, epoch ms. Rejects when it exists. */
export async function openSegment(file: string, at: number): Promise<Segment> {
  const gzip = createGzip({ level: LEVEL });
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    output.once('open', () => resolve());
    output.once('error', reject);
  });
  const index: PartIndex = { version: TAPE_VERSION, from: at, to: at, ticks: 0, changes: 0, gaps: [] };
  let failure: Error | null = null;
  const fail = (error: Error): void => {
    failure ??= error;
    gzip.destroy();
    output.destroy();
  };
  gzip.on('error', fail);
  output.on('error', fail);
  gzip.pipe(output);

  function checked(): void {
    if (failure) throw failure;
  }

  /** Resolves once a call of a stream is done, also when the stream ends meanwhile, which may leave it without a callback. */
  function ended(act: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const closed = (): void => resolve();
      output.once('close', closed);
      act((error) => {
        output.off('close', closed);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  const segment: Segment = {
    hour: hourOf(at),
    file,
    bytes: () => output.bytesWritten,
    async write(lines) {
      checked();
      await ended((done) => gzip.write(lines.map(textOf).join(''), done));
      checked();
    },
    note({ now, ticks = 0, changes = 0, gap }) {
      index.to = Math.max(index.to, now);
      index.ticks += ticks;
      index.changes += changes;
      if (gap && index.gaps.length < GAPS_MAX) index.gaps.push(gap);
    },
    async flush() {
      checked();
      await ended((done) => gzip.flush(constants.Z_SYNC_FLUSH, done));
      checked();
      // The file takes the compressed bytes later than the compressor gives them.
      while (gzip.readableLength > 0 || output.writableLength > 0) {
        await ended((done) => output.write('', done));
        checked();
      }
      await writeIndex(file, index);
    },
    async close() {
      checked();
      gzip.end();
      await finished(output);
      await writeIndex(file, index);
    },
  };
  await segment.write([{ v: TAPE_VERSION }]);
  await writeIndex(file, index);
  return segment;
}
