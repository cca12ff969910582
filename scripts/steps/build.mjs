/** Builds the server, the client and the user guide into .build when their sources have changed. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installed, root, runOrFail } from './command.mjs';

/** @typedef {(detail: string) => void} Report shows what a step is doing */

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string[]} sources folders and files; a change in any of them makes the target stale
 * @property {string} result file without which the target is stale
 * @property {(signal: AbortSignal | undefined) => Promise<void>} make
 */

/** @param {AbortSignal | undefined} signal */
const withSignal = (signal) => (signal ? { signal } : {});

export const targets = {
  /** @type {Target} */
  server: {
    name: 'server',
    sources: [
      'common',
      'realtime',
      'api',
      'scripts/embedded-mongo',
      'scripts/jupiter-emulator',
      'scripts/local-chain',
      'scripts/supervisor',
      'scripts/telegram-emulator',
      'scripts/vite.config.ts',
      'package-lock.json',
    ],
    result: '.build/server/api/main.js',
    make: async (signal) => {
      const args = ['build', '--config', 'scripts/vite.config.ts', '--logLevel', 'warn'];
      await runOrFail('Building the server', installed('vite'), args, withSignal(signal));
    },
  },
  /** @type {Target} */
  guide: {
    name: 'guide',
    // The guide's text by its name: no other Markdown file is part of the product.
    sources: ['api/docs', 'api/docs/user-guide/guide.md', 'package-lock.json'],
    result: '.build/guide/user-guide.pdf',
    make: async (signal) => {
      const args = ['--import', 'tsx', 'api/docs/make.ts'];
      await runOrFail('Making the user guide', process.execPath, args, withSignal(signal));
    },
  },
  /** @type {Target} */
  client: {
    name: 'client',
    sources: ['common', 'web', 'package-lock.json'],
    result: '.build/web/index.html',
    make: async (signal) => {
      const args = ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'];
      await runOrFail('Building the client', installed('vite'), args, withSignal(signal));
    },
  },
};

/** Files without effect on the product: a changed test must not make a start slower. */
const NOT_BUILT = /\.(test|spec)\.tsx?$|\.md$/;

/**
 * Yields the files under a folder, in a stable order.
 * @param {string} folder
 * @returns {Generator<string>}
 */
function* filesUnder(folder) {
  const children = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const child of children) {
    const file = path.join(folder, child.name);
    if (child.isDirectory()) yield* filesUnder(file);
    else if (!NOT_BUILT.test(file)) yield file;
  }
}

/**
 * Returns a hash of names and contents: a checkout changes times without changing a line, and the reverse.
 * @param {string} folder
 * @param {readonly string[]} sources
 */
export function fingerprint(folder, sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const start = path.join(folder, source);
    const files = path.extname(source) ? [start] : filesUnder(start);
    for (const file of files) {
      const content = readFileSync(file);
      hash.update(`${path.relative(folder, file)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/**
 * Builds one target if it is stale.
 * @param {Target} target
 * @param {Report} report
 * @param {AbortSignal} [signal]
 */
export async function ensureBuilt(target, report, signal) {
  const stamp = path.join(root, '.build', `${target.name}.stamp`);
  const current = fingerprint(root, target.sources);
  const isFirst = !existsSync(path.join(root, target.result)) || !existsSync(stamp);
  if (!isFirst && readFileSync(stamp, 'utf8') === current) {
    report('up to date');
    return;
  }
  report(isFirst ? 'building' : 'sources have changed, building');
  rmSync(stamp, { force: true }); // an interrupted build leaves none
  await target.make(signal);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, current);
  report('built');
}
