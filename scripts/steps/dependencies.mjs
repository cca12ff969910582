/** Installs node_modules when it is missing, incomplete or older than the lockfile. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runOrFail } from './command.mjs';
import { root } from './root.mjs';

const COUNT_MS = 1_000;

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * @param {string} folder the project's folder
 * @returns {string | null} why an installation is needed, or null
 */
export function whyInstall(folder) {
  const lockfile = path.join(folder, 'package-lock.json');
  const modules = path.join(folder, 'node_modules');
  // npm writes this file last, so an interrupted installation lacks it.
  const installedLockfile = path.join(modules, '.package-lock.json');
  if (!existsSync(installedLockfile)) return existsSync(modules) ? 'incomplete' : 'missing';
  // `npm ci --omit=dev` leaves out what the build needs.
  if (!existsSync(path.join(modules, 'typescript'))) return 'without the build tools';
  const stamp = stampFile(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(lockfile)) return null;
  return statSync(installedLockfile).mtimeMs >= statSync(lockfile).mtimeMs ? null : 'older than package-lock.json';
}

/** Remembers for which lockfile we installed: a fresh clone or a branch switch changes times, not content. */
const stampFile = (folder) => path.join(folder, 'node_modules', '.installed-lockfile');

/** To be called after an installation for the lockfile as it is now. */
export function rememberInstallation(folder) {
  writeFileSync(stampFile(folder), hashOf(path.join(folder, 'package-lock.json')));
}

/** The direct packages that the lockfile names for this system, and how many of them are there by now. */
function countPackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const direct = Object.entries(packages).filter(([place, { os, cpu, libc }]) => {
    const forUs =
      (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch)) && !libc?.includes('musl');
    return forUs && /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place);
  });
  const there = direct.filter(([place]) => existsSync(path.join(root, place)));
  return { there: there.length, wanted: direct.length };
}

/**
 * @param {(detail: string) => void} tell
 * @param {AbortSignal} [signal]
 */
export async function ensureDependencies(tell, signal) {
  const why = whyInstall(root);
  if (why === null) {
    tell('up to date');
    return;
  }
  tell(`node_modules is ${why}, installing`);
  const counter = setInterval(() => {
    const { there, wanted } = countPackages();
    tell(`installing, ${there} of ${wanted} packages`);
  }, COUNT_MS);
  // Development packages even under NODE_ENV=production, since the build needs them. No package needs its scripts.
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath; // set when npm started us: the same npm again
  try {
    if (npm?.endsWith('npm-cli.js')) await runOrFail('npm ci', process.execPath, [npm, ...args], { signal });
    else await runOrFail('npm ci', 'npm', args, { signal });
  } finally {
    clearInterval(counter);
  }
  rememberInstallation(root);
  tell(`installed ${countPackages().there} packages`);
}
