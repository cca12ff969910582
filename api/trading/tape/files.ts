import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** What one file of the tape holds. Written beside it, so that a list of hours needs not read the tape. Times are epoch ms. */
const partIndexSchema = z.object({
  version: z.number(),
  from: z.number(),
  /** Time of the last entry when the index was written; after a crash the file may hold a few seconds more. */
  to: z.number(),
  ticks: z.number(),
  changes: z.number(),
  gaps: z.array(z.object({ from: z.number(), to: z.number() })),
});
export type PartIndex = z.infer<typeof partIndexSchema>;

/** A file of the tape. A restart begins a new one of the same hour. */
export interface TapePart {
  /** UTC, such as `2026-11-23T05`. */
  hour: string;
  /** From 1. */
  number: number;
  file: string;
  bytes: number;
}

const NAME = /^(\d{4}-\d{2}-\d{2}T\d{2})\.(\d+)\.jsonl\.gz$/;

/** Returns the path of a part. */
export function partFile(dir: string, hour: string, number: number): string {
  return path.join(dir, `${hour}.${number}.jsonl.gz`);
}

/** Returns the parts in a folder, oldest first; none without the folder. */
export async function listParts(dir: string): Promise<TapePart[]> {
  const parts = await Promise.all((await namesIn(dir)).map((name) => partOf(dir, name)));
  return parts
    .filter((part) => part !== null)
    .toSorted((one, other) => (one.hour === other.hour ? one.number - other.number : one.hour < other.hour ? -1 : 1));
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function partOf(dir: string, name: string): Promise<TapePart | null> {
  const [, hour, number] = NAME.exec(name) ?? [];
  if (hour === undefined || number === undefined) return null;
  const file = path.join(dir, name);
  try {
    return { hour, number: Number(number), file, bytes: (await stat(file)).size };
  } catch (error) {
    // Removed meanwhile, since it was the oldest.
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Creates the folder, which only the server's user may read: plans and limits of users are in it. */
export async function makeFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
}

/** Removes a part with its index. */
export async function removePart({ file }: Pick<TapePart, 'file'>): Promise<void> {
  await Promise.all([rm(file, { force: true }), rm(indexFile(file), { force: true })]);
}

/** Writes the index of a part; a reader sees the old one or the new one. */
export async function writeIndex(file: string, index: PartIndex): Promise<void> {
  const target = indexFile(file);
  await writeFile(`${target}.new`, JSON.stringify(index), { mode: 0o600 });
  await rename(`${target}.new`, target);
}

/** Returns the index of a part; null when there is none. */
export async function readIndex({ file }: Pick<TapePart, 'file'>): Promise<PartIndex | null> {
  try {
    const parsed = partIndexSchema.safeParse(JSON.parse(await readFile(indexFile(file), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

const indexFile = (file: string): string => file.replace(/\.jsonl\.gz$/, '.json');

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
