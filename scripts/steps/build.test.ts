import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint } from './build.mjs';

let folder: string;
const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
const current = () => fingerprint(folder, ['api', 'lock.json']);

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-build-'));
  mkdirSync(path.join(folder, 'api', 'tokens'), { recursive: true });
  write('api/main.ts', 'one');
  write('api/tokens/model.ts', 'two');
  write('lock.json', '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each<[string, () => void]>([
  ['a changed file', () => write('api/tokens/model.ts', 'TWO')],
  ['a new file', () => write('api/tokens/routes.ts', '')],
  ['a removed file', () => rmSync(path.join(folder, 'api/main.ts'))],
  ['a changed lockfile', () => write('lock.json', '{"a":1}')],
])('%s makes the build stale', (_, change) => {
  const before = current();
  change();
  expect(current()).not.toBe(before);
});

test.each<[string, () => void]>([
  ['a test', () => write('api/main.test.ts', 'a test')],
  ['a Markdown file', () => write('api/README.md', 'text')],
  ['another modification time', () => utimesSync(path.join(folder, 'api/main.ts'), 0, 0)],
])('%s keeps the build', (_, change) => {
  const before = current();
  change();
  expect(current()).toBe(before);
});
