import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';
import { StartError } from './start-error.mjs';

/** `20.19` is at least `20.19` and `20.9`, and below `20.20` and `22`. */
export function isAtLeast(version, wanted) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number);
  return major === wantedMajor ? minor >= wantedMinor : major > wantedMajor;
}

/** Throws when this Node.js is older than package.json asks for; returns its version. */
export function checkNodeVersion(version = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const wanted = engines.node.replace(/^>=/, '');
  if (!isAtLeast(version, wanted)) {
    throw new StartError(`Mintwatch needs Node.js ${wanted} or newer, and this is ${version}.`);
  }
  return version;
}
