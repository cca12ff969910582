import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';

/** One line of a recording. */
export interface RecordedFrame {
  /** Receive time, epoch ms. */
  at: number;
  /** Text of the WebSocket frame. */
  raw: string;
}

const lineSchema = z.object({ t_wall: z.number().positive(), raw: z.string() });
/** The first line of a recording that names the length of a slot of its cluster, ms. */
const headSchema = z.object({ slot_ms: z.number().positive().max(10_000) });

/** Longer lines are not frames; the limit keeps a file without line ends out of memory. */
const maxLineBytes = 32 * 1_024 * 1_024;
/** Lines checked before a file is rejected, and bytes read from its end to find the last line. */
const linesToTrust = 100;
const tailBytes = 4 * 1_024 * 1_024;
const newline = 0x0a;

/** Reads a recording of any size line by line; yields null for a line that is not a frame. */
export async function* readRecording(file: string, signal: AbortSignal): AsyncGenerator<RecordedFrame | null> {
  let isFirst = true;
  for await (const line of readLines(file, signal)) {
    const isHead = isFirst && line !== null && parseHead(line) !== null;
    isFirst = false;
    if (!isHead && (line === null || line.length > 0)) yield line === null ? null : parseLine(line);
  }
}

/** Returns the length of a slot that a first line names, ms; null when it names none. */
function parseHead(line: string): number | null {
  try {
    return headSchema.parse(JSON.parse(line)).slot_ms;
  } catch {
    return null;
  }
}

function parseLine(line: string): RecordedFrame | null {
  try {
    const { t_wall, raw } = lineSchema.parse(JSON.parse(line));
    return { at: t_wall * 1_000, raw };
  } catch {
    // Counted by the reader; the other lines are kept.
    return null;
  }
}

/** Yields lines without their ends; null for one that is too long. */
async function* readLines(file: string, signal: AbortSignal): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let length = 0;
  function take(): string | null {
    const line = length > maxLineBytes ? null : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    length = 0;
    return line;
  }
  const stream: AsyncIterable<Buffer> = createReadStream(file, { signal });
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, end));
      length += end - from;
      from = end + 1;
      yield take();
    }
    length += chunk.length - from;
    // Only the length of a line that is too long matters.
    if (length > maxLineBytes) parts = [];
    else parts.push(chunk.subarray(from));
  }
  yield take();
}

/** First and last time of a recording, epoch ms, and the length of a slot, ms; null when the recording does not name it. */
export interface RecordingSpan {
  from: number;
  to: number;
  slotMs: number | null;
}

/** Reads both ends of a recording. Throws an error with a readable reason. */
export async function inspectRecording(file: string): Promise<RecordingSpan> {
  const first = await firstFrame(file).catch((error: unknown) => {
    throw new Error(`The recording ${file} cannot be read: ${reasonOf(error)}.`);
  });
  if (first === null) {
    throw new Error(
      `The file ${file} is not a recording: none of its first ${linesToTrust} lines is {"t_wall": <unix seconds>, "raw": "<frame>"}.`,
    );
  }
  const last = await lastFrame(file);
  const slotMs = await slotLengthIn(file);
  return { from: first.at, to: Math.max(first.at, last?.at ?? first.at), slotMs };
}

async function slotLengthIn(file: string): Promise<number | null> {
  const reading = new AbortController();
  for await (const line of readLines(file, reading.signal)) return line === null ? null : parseHead(line);
  return null;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return code === 'EACCES' ? 'permission denied' : 'it is not readable';
}

async function firstFrame(file: string): Promise<RecordedFrame | null> {
  const reading = new AbortController();
  let lines = 0;
  for await (const frame of readRecording(file, reading.signal)) {
    if (frame !== null) return frame;
    lines += 1;
    if (lines >= linesToTrust) return null;
  }
  return null;
}

/** Returns the last valid line, searched near the end: the file may have gigabytes. */
async function lastFrame(file: string): Promise<RecordedFrame | null> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, tailBytes);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer.toString('utf8').split('\n').toReversed();
    for (const line of lines) {
      const frame = parseLine(line);
      if (frame !== null) return frame;
    }
    return null;
  } finally {
    await handle.close();
  }
}
