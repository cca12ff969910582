import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../config/config.ts';
import { type MasterKeys, masterKey, masterKeys, masterKeyText, parseMasterKey } from '../config/master-key.ts';
import { readPrivateFile } from '../config/private-file.ts';
import { KEY_BYTES } from './sealed.ts';

/** The file in the data directory: one key a line, newest first. */
export const MASTER_KEY_FILE = 'wallet-master-key';

/**
 * Reads the master keys of the data directory; null before any exist. Throws a StartError when the file cannot be read, has
 * other content, or is readable by users other than its owner.
 */
export async function readKeptMasterKeys(dataDir: string): Promise<MasterKeys | null> {
  const text = await inDataDir(dataDir, () => readPrivateFile(path.join(dataDir, MASTER_KEY_FILE)));
  if (text === null) return null;
  const lines = text.split('\n').filter((line) => line !== '');
  const keys = lines.map(parseMasterKey).filter((key) => key !== null);
  const found = keys.length === lines.length ? masterKeys(keys) : null;
  if (found) return found;
  throw new StartError(`${path.join(dataDir, MASTER_KEY_FILE)} holds no master key; bring the file back as it was.`);
}

/** Creates the first master key of the data directory. Two processes that do so at once get the same key. */
export async function makeKeptMasterKey(dataDir: string): Promise<MasterKeys> {
  const made: MasterKeys = [masterKey(randomBytes(KEY_BYTES))];
  const isOurs = await inDataDir(dataDir, async () => {
    await mkdir(dataDir, { recursive: true });
    return writeWhole(dataDir, made, async (from, to) => {
      try {
        // Unlike a rename, this never replaces a key that another process created meanwhile.
        await link(from, to);
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    });
  });
  const kept = isOurs ? made : await readKeptMasterKeys(dataDir);
  if (!kept) throw new StartError(`${path.join(dataDir, MASTER_KEY_FILE)} went away while it was read.`);
  return kept;
}

/** Replaces the stored keys: the file holds either the old or the new ones, whenever the power fails. */
export async function replaceKeptMasterKeys(dataDir: string, keys: MasterKeys): Promise<void> {
  await inDataDir(dataDir, () =>
    writeWhole(dataDir, keys, async (from, to) => {
      await rename(from, to);
      return true;
    }),
  );
}

/** Writes the keys to a temporary file and `place`s it once it is on disk. Resolves with true when it was placed. */
async function writeWhole(
  dataDir: string,
  keys: MasterKeys,
  place: (from: string, to: string) => Promise<boolean>,
): Promise<boolean> {
  const file = path.join(dataDir, MASTER_KEY_FILE);
  const beside = `${file}.${randomUUID()}.new`;
  try {
    await writeAndSync(beside, keys);
    return await place(beside, file);
  } finally {
    // Also after a failure: no key may remain there.
    await rm(beside, { force: true });
    await syncFolder(dataDir);
  }
}

async function writeAndSync(file: string, keys: MasterKeys): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(keys.map((key) => `${masterKeyText(key)}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file name is on disk when its folder is synced: a wallet must not outlive the key it was encrypted with. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened on this system
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

async function inDataDir<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StartError) throw error;
    const code = codeOf(error);
    throw new StartError(`${MASTER_KEY_FILE} in DATA_DIR ${dataDir} can't be read or written${code && ` (${code})`}.`, {
      cause: error,
    });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
