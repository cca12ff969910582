import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Connection, mongo } from 'mongoose';
import {
  claimDatabase,
  DATA_FORMAT,
  databaseMark,
  type Mark,
  markDatabase,
  raiseDirectory,
} from '../platform/data-format.ts';

type Database = mongo.Db;

/**
 * The step from each format to the next one. A step may be interrupted anywhere and is then repeated whole, so it has to be
 * idempotent. It knows the stored data of its time, and uses none of the models of today.
 */
const steps: Readonly<Record<number, (database: Database) => Promise<void>>> = { 1: numberTokens };

/** Tokens numbered with one write. */
const BATCH = 500;

/** Migrates a database of the format `from` to the present format. The new number is written last. */
export async function migrateDatabase(database: Database, from: number): Promise<void> {
  for (let format = from; format < DATA_FORMAT; format += 1) await steps[format]?.(database);
  await markDatabase(database);
}

/**
 * Brings database and data directory to the present format, and marks new ones. A database of an older format is backed up
 * first, below the data directory; a migration that is repeated keeps the backup from before its first attempt. Throws a
 * StartError when one of them has a format that is not read.
 */
export async function openFormats(deps: {
  connection: Pick<Connection, 'db'>;
  dataDir: string;
  /** Writes a backup of the data that has this mark to a folder that does not exist yet. */
  backUp: (folder: string, origin: Mark, database: Database) => Promise<unknown>;
  /** Resolves when this process alone works on the database. The formats are checked before it, and nothing is migrated. */
  whenAlone: () => Promise<void>;
  now: number;
  announce: (line: string) => void;
}): Promise<void> {
  const { connection, dataDir, backUp, whenAlone, now, announce } = deps;
  const { db: database } = connection;
  if (database === undefined) throw new TypeError('the connection has no database');
  // An empty one is marked now: what proves that a process is alone is data as well.
  if ((await databaseMark(database)) === null) await claimDatabase(connection);
  await whenAlone();
  const mark = await databaseMark(database);
  if (mark !== null && mark.format < DATA_FORMAT) {
    const made = mark.backup !== undefined && existsSync(mark.backup) ? mark.backup : null;
    const time = new Date(now).toISOString().replaceAll(':', '-');
    const backup = made ?? path.join(dataDir, 'backups', `format-${mark.format}-${time}`);
    if (made === null) {
      await backUp(backup, mark, database);
      await markDatabase(database, { ...mark, backup });
    }
    announce(`data of format ${mark.format}: backup in ${backup}, migrating to format ${DATA_FORMAT}`);
    await migrateDatabase(database, mark.format);
  }
  await claimDatabase(connection);
  // Last: until then the directory is one that has to be migrated.
  await raiseDirectory(dataDir);
}

/** Format 1 to 2: gives each token its number, the oldest first. */
async function numberTokens(database: Database): Promise<void> {
  const tokens = database.collection<{ _id: string; number?: number; listedAt?: number }>('tokens');
  // First, so that no number is given twice when two servers start at once.
  await tokens.createIndex({ number: 1 }, { unique: true, partialFilterExpression: { number: { $gt: 0 } } });
  const highest = await tokens.findOne({ number: { $gt: 0 } }, { sort: { number: -1 }, projection: { number: 1 } });
  let number = highest?.number ?? 0;
  const unnumbered = { number: { $exists: false } };
  // Index { listedAt, _id }, which the numbering leaves as it is.
  const found = tokens.find(unnumbered, { projection: { _id: 1 }, sort: { listedAt: 1, _id: 1 } });
  let writes: { updateOne: { filter: object; update: object } }[] = [];
  const write = async () => {
    if (writes.length > 0) await tokens.bulkWrite(writes);
    writes = [];
  };
  for await (const { _id } of found) {
    number += 1;
    writes.push({ updateOne: { filter: { _id, ...unnumbered }, update: { $set: { number } } } });
    if (writes.length === BATCH) await write();
  }
  await write();
}
