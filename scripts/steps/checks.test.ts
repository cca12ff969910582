import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { lint } from './checks.mjs';
import { root } from './command.mjs';

/** Runs a linter in a folder with these files. Resolves with its exit code and findings. */
async function checked(name: string, args: string[], files: Record<string, string>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'linted-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'common'));
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  const check = lint.find((one) => one.name === name);
  if (check === undefined) throw new Error(`there is no check ${name}`);
  return new Promise<{ code: number; found: string }>((resolve) => {
    const child = execFile(check.program, args, { cwd: folder }, (_, stdout) =>
      resolve({ code: child.exitCode ?? 0, found: stdout }),
    );
  });
}

const own = (file: string): string => path.join(root, file);

/** Runs the check of dead exports with our settings on a project of two files. */
async function deadExports(test: string) {
  const { knip } = z.object({ knip: z.unknown() }).parse(JSON.parse(await readFile(own('package.json'), 'utf8')));
  return checked('lint: dead exports', ['--no-progress'], {
    'package.json': JSON.stringify({ name: 'small', type: 'module', knip }),
    'common/values.ts': 'export const used = 1;\nexport const other = 2;\n',
    'common/values.test.ts': test,
  });
}

test('an export that no file imports is found', async () => {
  const { code, found } = await deadExports("import { used } from './values.ts';\nvoid used;\n");
  expect(code).toBe(1);
  expect(found).toMatch(/other .*values\.ts/);
  expect(found).not.toMatch(/^used/m);
});

test('a project without one passes', async () => {
  expect(await deadExports("import { used, other } from './values.ts';\nvoid used;\nvoid other;\n")).toMatchObject({
    code: 0,
  });
});

/** Runs oxlint with our settings on three files. `third`: text of the third one. */
const cycles = (third: string) =>
  checked('lint: oxlint', ['-c', own('.oxlintrc.json'), '.'], {
    'common/first.ts': "export * from './second.ts';\n",
    'common/second.ts': "import type { Third } from './third.ts';\nexport const second: Third = 1;\n",
    'common/third.ts': third,
  });

test('a cycle over three files is found, types included', async () => {
  const { code, found } = await cycles("import { second } from './first.ts';\nexport type Third = typeof second;\n");
  expect(code).toBe(1);
  expect(found).toContain('Dependency cycle');
});

test('a chain of three files passes', async () => {
  expect(await cycles('export type Third = 1;\n')).toMatchObject({ code: 0 });
});
