/** Builds the server and the client into .build when their sources have changed since the last time. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installed, runOrFail } from './command.mjs';
import { root } from './root.mjs';

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {string[]} sources folders and files; a change in any of them makes the target stale
 * @property {string} result without this file the target is stale
 * @property {(stale: { force: boolean, signal?: AbortSignal }) => Promise<void>} make
 */

/** @type {Record<'server' | 'client' | 'guide', Target>} */
export const targets = {
  server: {
    name: 'server',
    sources: ['common', 'realtime', 'api', 'package-lock.json'],
    result: '.build/server/api/main.js',
    make: async ({ force, signal }) => {
      // tsc trusts its notes on what it wrote; when that was deleted they must not count.
      const args = ['-b', 'common', 'realtime', 'api', ...(force ? ['--force'] : [])];
      await runOrFail('Building the server', installed('tsc'), args, { signal });
    },
  },
  guide: {
    name: 'guide',
    // The text by its name, for other Markdown is no part of what runs.
    sources: ['api/docs', 'api/docs/user-guide/guide.md', 'package-lock.json'],
    result: '.build/guide/user-guide.pdf',
    make: async ({ signal }) => {
      const args = ['--import', 'tsx', 'api/docs/make-directly.ts'];
      await runOrFail('Making the user guide', process.execPath, args, { signal });
    },
  },
  client: {
    name: 'client',
    sources: ['common', 'web', 'package-lock.json'],
    result: '.build/web/index.html',
    make: async ({ signal }) => {
      const args = ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'];
      await runOrFail('Building the client', installed('vite'), args, { signal });
    },
  },
};

/** Not part of what runs: a changed test must not make a start slower. */
const NOT_BUILT = /\.(test|spec)\.tsx?$|\.md$/;

function* filesUnder(entry) {
  if (NOT_BUILT.test(entry)) return;
  const children = readdirSync(entry, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const child of children) {
    const file = path.join(entry, child.name);
    if (child.isDirectory()) yield* filesUnder(file);
    else if (!NOT_BUILT.test(file)) yield file;
  }
}

/**
 * A hash over names and contents, since a checkout changes times without changing a line and the reverse.
 * @param {string} folder
 * @param {string[]} sources
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
 * @param {(detail: string) => void} tell
 * @param {AbortSignal} [signal]
 */
export async function ensureBuilt(target, tell, signal) {
  const stamp = path.join(root, '.build', `${target.name}.stamp`);
  const current = fingerprint(root, target.sources);
  const force = !existsSync(stamp) || !existsSync(path.join(root, target.result));
  if (!force && readFileSync(stamp, 'utf8') === current) {
    tell('up to date');
    return;
  }
  tell(force ? 'building' : 'sources have changed, building');
  rmSync(stamp, { force: true }); // a build that is interrupted leaves none
  await target.make({ force, signal });
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, current);
  tell('built');
}
