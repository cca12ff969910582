import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './command.mjs';
import { StartError } from './start-error.mjs';

/**
 * Compares versions by number: `20.19` is at least `20.9`, and below `20.20` and `22`.
 * @param {string} version
 * @param {string} wanted
 */
export function isAtLeast(version, wanted) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number);
  return major === wantedMajor ? minor >= wantedMinor : major > wantedMajor;
}

/** Returns the version of Node.js. Throws a `StartError` when it is older than package.json requires. */
export function checkNodeVersion(version = process.versions.node) {
  /** @type {{ engines: { node: string } }} */
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const wanted = engines.node.replace(/^>=/, '');
  if (!isAtLeast(version, wanted)) {
    throw new StartError(`Mintwatch needs Node.js ${wanted} or newer, and this is ${version}.`);
  }
  return version;
}
