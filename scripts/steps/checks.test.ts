import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { lint } from './checks.mjs';
import { root } from './command.mjs';

/** Runs the check of dead exports with our settings on a project of two files. Resolves with its exit code and findings. */
async function deadExports(test: string): Promise<{ code: number; found: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'dead-exports-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const own = z.object({ knip: z.unknown() }).parse(JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')));
  const files = {
    'package.json': JSON.stringify({ name: 'small', type: 'module', knip: own.knip }),
    'common/values.ts': 'export const used = 1;\nexport const other = 2;\n',
    'common/values.test.ts': test,
  };
  await mkdir(path.join(folder, 'common'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const check = lint.find(({ name }) => name === 'lint: dead exports');
  if (check === undefined) throw new Error('there is no check of dead exports');
  return new Promise((resolve) => {
    const child = execFile(check.program, [...check.args, '--directory', folder], (_, stdout) =>
      resolve({ code: child.exitCode ?? 0, found: stdout }),
    );
  });
}

test('an export that no file imports is found', async () => {
  const { code, found } = await deadExports("import { used } from './values.ts';\nvoid used;\n");
  expect(code).toBe(1);
  expect(found).toMatch(/other .*values\.ts/);
  expect(found).not.toMatch(/^used/m);
});

test('a project without one passes', async () => {
  expect(await deadExports("import { used, other } from './values.ts';\nvoid used;\nvoid other;\n")).toMatchObject({ code: 0 });
});
