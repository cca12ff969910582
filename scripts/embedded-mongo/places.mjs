/** Where one database directory is served: paths that depend on nothing but the directory, so that any process finds them. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EmbeddedMongoError } from './errors.mjs';

/** A Unix socket's path holds 104 bytes on macOS and 108 on Linux. */
const LONGEST_SOCKET_PATH = 100;

/**
 * @typedef {object} Places
 * @property {string} directory the database directory, resolved
 * @property {string} dataSocket speaks MongoDB's wire protocol
 * @property {string} controlSocket held open by each launcher (see server.mjs)
 * @property {string} logFile
 * @property {string} engineCache where a patched engine may lie when node_modules cannot be written
 */

/** A private directory of this user for the sockets of directories whose own path is too long. */
function shortSocketDirectory(directory) {
  const uid = process.getuid?.() ?? 0;
  const parent = path.join(os.tmpdir(), `mintwatch-mongo-${uid}`);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const found = lstatSync(parent);
  // In a shared /tmp somebody else could have made it first, to read what passes through.
  if (!found.isDirectory() || found.uid !== uid) throw new EmbeddedMongoError(`cannot use ${parent}: it is not ours`);
  return path.join(parent, createHash('sha256').update(directory).digest('hex').slice(0, 16));
}

/**
 * Makes the directory if need be.
 * @param {string} directory
 * @returns {Places}
 */
export function placesFor(directory) {
  let resolved;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    resolved = realpathSync(directory);
  } catch (error) {
    throw new EmbeddedMongoError(`cannot write to ${directory} (${error.code})`, { cause: error });
  }
  const beside = path.join(resolved, 'mongod');
  const fits = Buffer.byteLength(`${beside}.control`) < LONGEST_SOCKET_PATH;
  const base = fits ? beside : shortSocketDirectory(resolved);
  return {
    directory: resolved,
    dataSocket: `${base}.sock`,
    controlSocket: `${base}.control`,
    logFile: path.join(resolved, 'embedded-mongo.log'),
    engineCache: path.join(resolved, '.engine'),
  };
}

/**
 * @param {Places} places
 * @param {string} database the database a client uses when it names none
 */
export function uriOf(places, database) {
  // journal=true: a write is acknowledged once it is in the journal. Without it, kill -9 loses the last 100 ms.
  return `mongodb://${encodeURIComponent(places.dataSocket)}/${database}?directConnection=true&journal=true`;
}
