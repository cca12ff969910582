import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../config/config.ts';

const FILE = 'session-keys';
const KEY_BYTES = 32;

/**
 * Reads the keys that sign session cookies when `SESSION_KEYS` names none, newest first; creates them at the first start, in
 * a file that only its owner can read. Throws a StartError when `dataDir` cannot be used.
 */
export async function openSessionKeyFile(dataDir: string): Promise<string[]> {
  const file = path.join(dataDir, FILE);
  try {
    await mkdir(dataDir, { recursive: true });
    return (await readKeys(file)) ?? (await writeKeys(file)) ?? [];
  } catch (error) {
    if (error instanceof StartError) throw error;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StartError(`DATA_DIR ${dataDir} can't be written${code}.`, { cause: error });
  }
}

async function readKeys(file: string): Promise<string[] | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null; // the first start
    throw error;
  });
  if (text === null) return null;
  const keys = text.split('\n').filter((line) => line !== '');
  if (keys.length === 0)
    throw new StartError(`DATA_DIR holds an empty file ${FILE}; remove it to get new session keys.`);
  return keys;
}

async function writeKeys(file: string): Promise<string[] | null> {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  try {
    // `wx`: of two processes that start together, one writes and the other reads.
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${key}\n`);
    await handle.sync();
    await handle.close();
    return [key];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return readKeys(file);
    throw error;
  }
}
