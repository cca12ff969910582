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

/**
 * Returns whether a version is in a range of package.json: `^20.19` is that major version from there on, `>=22` any from there on.
 * @param {string} version
 * @param {string} range
 */
export function isInRange(version, range) {
  return range.split('||').some((part) => {
    const wanted = part.trim().replace(/^(?:\^|>=)/, '');
    const isMajor = !part.trim().startsWith('^') || version.split('.')[0] === wanted.split('.')[0];
    return isMajor && isAtLeast(version, wanted);
  });
}

/** Returns the version of Node.js. Throws a `StartError` when package.json does not allow it. */
export function checkNodeVersion(version = process.versions.node) {
  /** @type {{ engines: { node: string } }} */
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  if (!isInRange(version, engines.node)) {
    throw new StartError(`Mintwatch needs Node.js ${engines.node}, and this is ${version}.`);
  }
  return version;
}
