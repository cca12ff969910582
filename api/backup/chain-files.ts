import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { checkFile, checksumOf } from './checksum.ts';

/** The local chain's state; its journals continue from any state. */
const STATE = 'state.json';

/** A file of a local chain in a backup. */
export const chainFileSchema = z.strictObject({
  // No path: a file of that name in the chain's folder.
  name: z.string().regex(/^[\w-]+\.jsonl?$/),
  /** SHA-256, hexadecimal. */
  sha256: z.string(),
});
export type ChainFile = z.infer<typeof chainFileSchema>;

/** Returns whether the folder holds a local chain. */
export function hasChain(folder: string): boolean {
  return existsSync(path.join(folder, STATE));
}

/**
 * Copies the files of a local chain, running or not: it appends whole lines, replaces its state as a whole, and drops
 * journals only after a state that includes them. Resolves with the copied files; null without a chain.
 */
export async function dumpChain(from: string, to: string): Promise<ChainFile[] | null> {
  if (!hasChain(from)) return null;
  await mkdir(to, { recursive: true, mode: 0o700 });
  const files = [await copyPrivately(from, to, STATE)];
  // Listed after the state was copied, so that every later line is in one of them.
  const journals = (await readdir(from)).filter((name) => name.endsWith('.jsonl'));
  for (const name of journals) {
    try {
      files.push(await copyPrivately(from, to, name));
    } catch (error) {
      // Dropped meanwhile: it held old history only.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return files;
}

/** Throws a StartError that names the first file which is missing or not as it was written. */
export async function checkChain(folder: string, files: readonly ChainFile[]): Promise<void> {
  for (const { name, sha256 } of files) await checkFile(path.join(folder, name), sha256);
}

/** Copies the checked files of a backup to a folder without a chain. Rejects without leaving a part of them. */
export async function restoreChain(from: string, to: string, files: readonly ChainFile[]): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  try {
    // The state last: without it there is no chain that a start would go on with after a kill.
    const stateLast = files.toSorted((a, b) => Number(a.name === STATE) - Number(b.name === STATE));
    for (const { name } of stateLast) await copyPrivately(from, to, name);
  } catch (error) {
    for (const { name } of files) await rm(path.join(to, name), { force: true });
    throw error;
  }
}

async function copyPrivately(from: string, to: string, name: string): Promise<ChainFile> {
  const target = path.join(to, name);
  await copyFile(path.join(from, name), target);
  await chmod(target, 0o600);
  return { name, sha256: await checksumOf(target) };
}
