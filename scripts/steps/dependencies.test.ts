import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rememberInstallation, whyInstall } from './dependencies.mjs';

let folder: string;
const inFolder = (...parts: string[]) => path.join(folder, ...parts);
const EARLIER = new Date('2026-01-01T10:00:00Z');
const LATER = new Date('2026-01-01T11:00:00Z');

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'mintwatch-install-'));
  writeFileSync(inFolder('package-lock.json'), '{"one":1}');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As npm leaves it behind, at a time. */
function install(at: Date) {
  mkdirSync(inFolder('node_modules', 'typescript'), { recursive: true });
  writeFileSync(inFolder('node_modules', '.package-lock.json'), '{}');
  utimesSync(inFolder('node_modules', '.package-lock.json'), at, at);
}
const lockfileFrom = (at: Date) => utimesSync(inFolder('package-lock.json'), at, at);

test('a fresh clone needs an installation', () => {
  expect(whyInstall(folder)).toBe('missing');
});

test('one that was interrupted is made again', () => {
  mkdirSync(inFolder('node_modules', 'zod'), { recursive: true });
  expect(whyInstall(folder)).toBe('incomplete');
});

test('one without development packages is completed', () => {
  install(LATER);
  lockfileFrom(EARLIER);
  rmSync(inFolder('node_modules', 'typescript'), { recursive: true });
  expect(whyInstall(folder)).toBe('without the build tools');
});

test('a lockfile that is newer than the installation needs another', () => {
  install(EARLIER);
  lockfileFrom(LATER);
  expect(whyInstall(folder)).toBe('older than package-lock.json');
});

test('an npm ci by hand counts', () => {
  install(LATER);
  lockfileFrom(EARLIER);
  expect(whyInstall(folder)).toBeNull();
});

test('a newer time on an unchanged lockfile, as a checkout leaves it, needs none', () => {
  install(EARLIER);
  rememberInstallation(folder);
  lockfileFrom(LATER);
  expect(whyInstall(folder)).toBeNull();
  writeFileSync(inFolder('package-lock.json'), '{"two":2}');
  lockfileFrom(LATER);
  expect(whyInstall(folder)).toBe('older than package-lock.json');
});
