import { expect, test } from 'vitest';
import { engineFor } from './engine.ts';

const linux = { platform: 'linux', arch: 'x64' };

test.each([
  ['2.36', 'patched'],
  ['2.37', 'patched'],
  ['2.38', 'published'],
  ['2.41', 'published'],
])('loads with glibc %s the %s build', (glibc, build) => {
  expect(engineFor({ ...linux, glibc })).toBe(build);
});

test('loads the published build on an Apple silicon Mac', () => {
  expect(engineFor({ platform: 'darwin', arch: 'arm64', glibc: undefined })).toBe('published');
});

test.each([
  [{ ...linux, glibc: '2.31' }, 'needs glibc 2.36 or newer (Debian 12, Ubuntu 24.04), and this system has glibc 2.31'],
  [{ ...linux, glibc: undefined }, 'this system has no glibc'],
  [{ platform: 'win32', arch: 'x64', glibc: undefined }, 'has no build for win32-x64'],
])('refuses %j with one line that names MONGODB_URI', (system, why) => {
  expect(() => engineFor(system)).toThrow(why);
  expect(() => engineFor(system)).toThrow(/^The embedded MongoDB .* Set MONGODB_URI to a MongoDB server[^\n]*$/);
});
