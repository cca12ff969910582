import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { StartError } from '../config/config.ts';

/** Resolves with the SHA-256 of a file, hexadecimal. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** Throws a StartError that names the file when it is missing or not as it was written. */
export async function checkFile(file: string, sha256: string): Promise<void> {
  const actual = await checksumOf(file).catch((error: unknown) => {
    throw new StartError(`The backup is not complete: ${file} cannot be read.`, { cause: error });
  });
  if (actual !== sha256) throw new StartError(`The backup is damaged: ${file} is not as it was written.`);
}
