/** The paths of a served database directory. They depend on the directory alone, so every process finds the same ones. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failureCode } from '../steps/start-error.mjs';
import { EmbeddedMongoError } from './errors.ts';

/** A Unix socket's path holds 104 bytes on macOS and 108 on Linux. */
const LONGEST_SOCKET_PATH = 100;

export interface Places {
  /** The database directory, resolved. */
  directory: string;
  /** Serves MongoDB's wire protocol. */
  dataSocket: string;
  /** Kept open by each launcher; see control.ts. */
  controlSocket: string;
  logFile: string;
  /** Directory of a patched engine when node_modules can't be written. */
  engineCache: string;
}

/** Returns a socket name in a private directory of this user, for directories whose own path is too long. */
function shortSocketBase(directory: string): string {
  const uid = process.getuid?.() ?? 0;
  const parent = path.join(os.tmpdir(), `mintwatch-mongo-${uid}`);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const found = lstatSync(parent);
  // In a shared /tmp another user could have created it first, to read the traffic.
  if (!found.isDirectory() || found.uid !== uid) throw new EmbeddedMongoError(`cannot use ${parent}: it is not ours`);
  return path.join(parent, createHash('sha256').update(directory).digest('hex').slice(0, 16));
}

/** Returns the paths of a directory, which it creates when missing. */
export function placesFor(directory: string): Places {
  const resolved = createDirectory(directory);
  const beside = path.join(resolved, 'mongod');
  const fits = Buffer.byteLength(`${beside}.control`) < LONGEST_SOCKET_PATH;
  const base = fits ? beside : shortSocketBase(resolved);
  return {
    directory: resolved,
    dataSocket: `${base}.sock`,
    controlSocket: `${base}.control`,
    logFile: path.join(resolved, 'embedded-mongo.log'),
    engineCache: path.join(resolved, '.engine'),
  };
}

function createDirectory(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return realpathSync(directory);
  } catch (error) {
    throw new EmbeddedMongoError(`cannot write to ${directory} (${failureCode(error)})`, { cause: error });
  }
}

/** Returns the URI of the served directory. `database` is the one of a client that names none. */
export function uriOf(places: Places, database: string): string {
  // journal=true: a write is acknowledged once it is in the journal. Without it, kill -9 loses the last 100 ms.
  return `mongodb://${encodeURIComponent(places.dataSocket)}/${database}?directConnection=true&journal=true`;
}
