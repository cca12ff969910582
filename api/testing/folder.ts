import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** Creates an empty folder, which is deleted after the last test of the file. Called outside of the tests. */
export async function testFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `mintwatch-${name}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
