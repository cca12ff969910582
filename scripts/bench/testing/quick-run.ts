import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** Runs a benchmark of the folder above with `--quick`, for its test. Resolves with its report, which has to be its only line. */
export async function quickRun(name: string, ...options: string[]): Promise<unknown> {
  const { stdout } = await run(
    process.execPath,
    ['--import', 'tsx', `scripts/bench/${name}.ts`, '--quick', ...options],
    {
      cwd: root,
    },
  );
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}
