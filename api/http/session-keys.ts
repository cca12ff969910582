import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../config/config.ts';
import { readPrivateFile } from '../config/private-file.ts';
import { createGrowingCache } from '../platform/growing-cache.ts';

/** The file in the data directory: one key a line, newest first. */
export const SESSION_KEY_FILE = 'session-keys';
const KEY_BYTES = 32;
/** As long as SESSION_KEYS demands, of printable ASCII characters. */
const KEY_FORM = /^[!-~]{16,}$/;

/**
 * Reads the keys that sign session cookies when `SESSION_KEYS` names none, newest first; creates them at the first start, in
 * a file that only its owner can read. Throws a StartError when `dataDir` cannot be used, or when the file has other content or
 * can be read by others.
 */
export async function openSessionKeyFile(dataDir: string): Promise<string[]> {
  const file = path.join(dataDir, SESSION_KEY_FILE);
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
  const text = await readPrivateFile(file);
  if (text === null) return null;
  const keys = text.split('\n').filter((line) => line !== '');
  if (keys.length === 0)
    throw new StartError(`DATA_DIR holds an empty file ${SESSION_KEY_FILE}; remove it to get new session keys.`);
  // Without the line, which is a secret.
  if (keys.some((key) => !KEY_FORM.test(key))) {
    throw new StartError(
      `${file} holds a line that is no session key. Bring the file back as it was, or remove it: that signs all users out.`,
    );
  }
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

/** Signatures that are remembered, at most. */
const MAX_SIGNATURES = 10_000;

/**
 * Creates the keys that sign cookies as `keygrip` of Koa does: with the first, accepted from any. It also remembers valid
 * signatures, since a browser sends the same one with each request.
 */
export function createSigningKeys(keys: readonly string[]) {
  const [newest] = keys;
  if (newest === undefined) throw new Error('a key is needed');
  const known = createGrowingCache<number>(MAX_SIGNATURES);
  const sign = (data: string, key: string) => createHmac('sha1', key).update(data).digest('base64url');

  /** Returns the place of the key that made this signature; -1: none did. */
  function index(data: string, signature: string): number {
    // A signature has no line break.
    const signed = `${signature}\n${data}`;
    const remembered = known.get(signed);
    if (remembered !== undefined) return remembered;
    const found = keys.findIndex((key) => isEqual(signature, sign(data, key)));
    if (found >= 0) known.set(signed, found);
    return found;
  }

  return {
    sign: (data: string): string => sign(data, newest),
    index,
    verify: (data: string, signature: string): boolean => index(data, signature) >= 0,
  };
}

/** Compares in a time that does not depend on where the two differ. */
function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
