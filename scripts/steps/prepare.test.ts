import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
let clone: string;

/** Makes a clone without node_modules, and an npm that only records its command. */
beforeEach(() => {
  clone = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-clone-'));
  cpSync(path.join(root, 'scripts'), path.join(clone, 'scripts'), {
    recursive: true,
    filter: (file) => !path.extname(file) || file.endsWith('.mjs'),
  });
  for (const file of ['package.json', 'package-lock.json']) cpSync(path.join(root, file), path.join(clone, file));
  mkdirSync(path.join(clone, 'bin'));
  writeFileSync(path.join(clone, 'bin/npm'), '#!/bin/sh\necho "$1" > npm-command\nexit 7\n', { mode: 0o755 });
});
afterEach(() => rmSync(clone, { recursive: true }));

test.each(['verify', 'lint', 'build', 'test'])('%s installs the packages first in a fresh clone', (command) => {
  const env = { PATH: `${path.join(clone, 'bin')}:${process.env.PATH}` };
  const script = path.join(clone, 'scripts', `${command}.mjs`);
  const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  expect({ status, stderr: stderr.trim() }).toEqual({ status: 1, stderr: 'npm ci failed (exit code 7).' });
  expect(readFileSync(path.join(clone, 'npm-command'), 'utf8')).toBe('ci\n');
});
