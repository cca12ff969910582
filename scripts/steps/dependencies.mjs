/** Installs node_modules when it is missing, incomplete or older than the lockfile. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root, runOrFail } from './command.mjs';

const COUNT_MS = 1_000;

/** @param {string} file */
const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * The lockfile of our last installation: a fresh clone or a branch switch changes times, not content.
 * @param {string} folder
 */
const stampFile = (folder) => path.join(folder, 'node_modules', '.installed-lockfile');

/**
 * Returns why an installation is needed; null when it is not.
 * @param {string} folder the project's folder
 * @returns {string | null}
 */
export function installReason(folder) {
  const lockfile = path.join(folder, 'package-lock.json');
  const modules = path.join(folder, 'node_modules');
  // npm writes this file last, so an interrupted installation lacks it.
  const installedLockfile = path.join(modules, '.package-lock.json');
  if (!existsSync(installedLockfile)) return existsSync(modules) ? 'incomplete' : 'missing';
  // `npm ci --omit=dev` leaves out packages that the build needs.
  if (!existsSync(path.join(modules, 'typescript'))) return 'without the build tools';
  const stamp = stampFile(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(lockfile)) return null;
  return statSync(installedLockfile).mtimeMs >= statSync(lockfile).mtimeMs ? null : 'older than package-lock.json';
}

/**
 * Records the lockfile of a finished installation.
 * @param {string} folder
 */
export function recordInstallation(folder) {
  writeFileSync(stampFile(folder), hashOf(path.join(folder, 'package-lock.json')));
}

/** Counts the direct packages that the lockfile names for this system, and the installed ones. */
function countPackages() {
  /** @type {{ packages: Record<string, { os?: string[], cpu?: string[], libc?: string[] }> }} */
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const direct = Object.entries(packages).filter(([place, { os, cpu, libc }]) => {
    const isForThisSystem =
      (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)) && !libc?.includes('musl');
    return isForThisSystem && /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place);
  });
  const found = direct.filter(([place]) => existsSync(path.join(root, place)));
  return { installed: found.length, wanted: direct.length };
}

/**
 * Installs the packages if need be.
 * @param {import('./build.mjs').Report} report
 * @param {AbortSignal} [signal]
 */
export async function ensureDependencies(report, signal) {
  const reason = installReason(root);
  if (reason === null) {
    report('up to date');
    return;
  }
  report(`node_modules is ${reason}, installing`);
  const counter = setInterval(() => {
    const { installed, wanted } = countPackages();
    report(`installing, ${installed} of ${wanted} packages`);
  }, COUNT_MS);
  // Development packages even under NODE_ENV=production, since the build needs them. No package needs its scripts.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath; // set when npm started this command: use the same npm
  const options = signal ? { signal } : {};
  try {
    if (npm?.endsWith('npm-cli.js')) await runOrFail('npm ci', process.execPath, [npm, ...args], options);
    else await runOrFail('npm ci', 'npm', args, options);
  } finally {
    clearInterval(counter);
  }
  recordInstallation(root);
  report(`installed ${countPackages().installed} packages`);
}
