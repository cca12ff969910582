import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { ensureChromium, howToGetChromium } from './chromium.mjs';
import { checkDataDirectory } from './data-directory.mjs';
import { checkNodeVersion, isAtLeast, isInRange } from './node-version.mjs';

test.each([
  ['20.19.0', true],
  ['20.20.2', true],
  ['22.1.0', true],
  ['20.9.0', false],
  ['18.20.4', false],
])('accepts Node.js %s: %s', (version, enough) => {
  expect(isAtLeast(version, '20.19')).toBe(enough);
});

test('refuses an old Node.js in one line', () => {
  expect(() => checkNodeVersion('18.20.4')).toThrow('Mintwatch needs Node.js ^20.19 || >=22, and this is 18.20.4.');
});

test.each([
  ['20.20.2', true],
  ['20.18.9', false],
  ['21.7.3', false],
  ['22.0.0', true],
  ['24.1.0', true],
])('Node.js %s is in the range of package.json: %s', (version, allowed) => {
  expect(isInRange(version, '^20.19 || >=22')).toBe(allowed);
});

test('makes the data directory and leaves it empty', () => {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-data-'));
  const directory = path.join(parent, 'deep', 'data');
  checkDataDirectory(directory);
  expect(readdirSync(directory)).toEqual([]);
  rmSync(parent, { recursive: true });
});

test.each([
  ['/dev/null/data', 'a part of the path is a file'],
  ['/proc/data', 'nothing can be made there'],
])('refuses %s, which cannot be made, in one line', (directory, reason) => {
  expect(() => checkDataDirectory(directory)).toThrow(
    `Cannot write to the data directory ${directory}: ${reason}. Set DATA_DIR to another one.`,
  );
});

test('installs Chromium as root on Debian, and gives any other user the command', () => {
  const debian = { isRoot: true, hasApt: true, byVariable: false };
  expect(howToGetChromium(debian)).toEqual({ install: true });
  expect(howToGetChromium({ ...debian, isRoot: false })).toEqual({
    install: false,
    advice:
      'Run: sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation',
  });
  expect(howToGetChromium({ ...debian, hasApt: false })).toMatchObject({ install: false });
  expect(howToGetChromium({ ...debian, byVariable: true })).toMatchObject({ install: false });
});

test('ignores output of preloaded modules beside the path of Chromium', async () => {
  vi.stubEnv('NODE_OPTIONS', '--import=data:text/javascript,console.log(1);console.warn(2)');
  vi.stubEnv('CHROMIUM_PATH', process.execPath);
  const reports: string[] = [];
  await ensureChromium((detail: string) => reports.push(detail)).finally(() => vi.unstubAllEnvs());
  expect(reports).toEqual([process.execPath]);
});
