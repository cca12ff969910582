import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installReason, recordInstallation } from './dependencies.mjs';

let folder: string;
const inFolder = (...parts: string[]) => path.join(folder, ...parts);
const EARLIER = new Date('2026-01-01T10:00:00Z');
const LATER = new Date('2026-01-01T11:00:00Z');

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-install-'));
  writeFileSync(inFolder('package-lock.json'), '{"one":1}');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates the files of an installation that npm finished at a time. */
function install(at: Date) {
  mkdirSync(inFolder('node_modules', 'typescript'), { recursive: true });
  writeFileSync(inFolder('node_modules', '.package-lock.json'), '{}');
  utimesSync(inFolder('node_modules', '.package-lock.json'), at, at);
}
const lockfileFrom = (at: Date) => utimesSync(inFolder('package-lock.json'), at, at);

test('a fresh clone needs an installation', () => {
  expect(installReason(folder)).toBe('missing');
});

test('an interrupted installation needs another', () => {
  mkdirSync(inFolder('node_modules', 'zod'), { recursive: true });
  expect(installReason(folder)).toBe('incomplete');
});

test('an installation without development packages needs another', () => {
  install(LATER);
  lockfileFrom(EARLIER);
  rmSync(inFolder('node_modules', 'typescript'), { recursive: true });
  expect(installReason(folder)).toBe('without the build tools');
});

test('an installation older than its lockfile needs another', () => {
  install(EARLIER);
  lockfileFrom(LATER);
  expect(installReason(folder)).toBe('older than package-lock.json');
});

test('an npm ci by hand needs no other installation', () => {
  install(LATER);
  lockfileFrom(EARLIER);
  expect(installReason(folder)).toBeNull();
});

test('a newer time on an unchanged lockfile, as after a checkout, needs no installation', () => {
  install(EARLIER);
  recordInstallation(folder);
  lockfileFrom(LATER);
  expect(installReason(folder)).toBeNull();
  writeFileSync(inFolder('package-lock.json'), '{"two":2}');
  lockfileFrom(LATER);
  expect(installReason(folder)).toBe('older than package-lock.json');
});
