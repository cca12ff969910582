import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({ version: z.string() });

/** The folder of package.json above this file: source and compiled files lie at different depths below it. */
export function productRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json')) && folder !== path.dirname(folder))
    folder = path.dirname(folder);
  return folder;
}

export function productVersion(): string {
  return packageSchema.parse(JSON.parse(readFileSync(path.join(productRoot(), 'package.json'), 'utf8'))).version;
}
