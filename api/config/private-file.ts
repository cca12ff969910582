import { open } from 'node:fs/promises';
import { StartError } from './config.ts';

/** Mode bits of group and others. */
const OTHERS = 0o077;

/**
 * Reads a file of secrets; null when there is none yet. Throws a StartError when users other than its owner can read it, and
 * the system's error when it cannot be read.
 */
export async function readPrivateFile(file: string): Promise<string | null> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null; // the first start
    throw error;
  });
  if (!handle) return null;
  try {
    const { mode } = await handle.stat();
    // Windows has no such bits: every file seems to be open to all.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new StartError(`${file} can be read by others than its owner. Run: chmod 600 ${file}`);
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
