import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection, mongo } from 'mongoose';
import { z } from 'zod';
import { StartError } from '../config/config.ts';
import { productVersion } from './product.ts';

/**
 * Number of the format of everything stored: in the data directory, the database and a backup. A change of stored fields or
 * files raises it and adds a step to `migrations`.
 */
export const DATA_FORMAT = 2;
/** The oldest format that a start migrates. */
export const OLDEST_FORMAT = 1;

/** The version that reads data from the time before the number existed. */
export const UNNUMBERED_VERSION = '0.1.0 (commit 622a2d5f)';

/** File of the data directory that holds its mark. */
const FILE = 'data-format';
/** Collection of the database that holds its mark, in one document. */
const COLLECTION = 'dataFormat';
const ID = 'mark';
/** End of the name of a mark that is being written. */
const PARTIAL = '.partial';
/** What an empty directory may have: key files that belong to a database, and a folder of some file systems. */
const NO_DATA = [FILE, `${FILE}${PARTIAL}`, 'wallet-master-key', 'session-keys', 'lost+found'];

/** `backup`: folder of the backup from before a migration that has not ended. */
const markSchema = z.object({ format: z.int(), version: z.string(), backup: z.string().optional() });
/** The format of a place, and the version that wrote it first. */
export type Mark = z.infer<typeof markSchema>;

/** A data directory or a database. */
interface Place {
  /** Its name in a sentence. */
  name: string;
  /** What the user does after the backup, in an imperative. */
  remedy: string;
  /** Resolves with the stored mark; null without one, or when it is damaged. */
  read(): Promise<Mark | null>;
  isEmpty(): Promise<boolean>;
}

/**
 * Resolves with the mark of a place; null when it is empty and has none yet. Throws a StartError when it has data without a
 * mark, or with a mark of a format that is not read or migrated. Writes nothing.
 */
async function markOf(place: Place): Promise<Mark | null> {
  const before = await place.read();
  const isFree = before === null && (await place.isEmpty());
  if (isFree) return null;
  // Read again: another process may have marked it and written data meanwhile.
  const mark = before ?? (await place.read());
  if (mark !== null && mark.format >= OLDEST_FORMAT && mark.format <= DATA_FORMAT) return mark;
  const found = mark ? `of format ${mark.format}` : 'without a format number';
  throw new StartError(
    `${place.name} holds data ${found}; Mintwatch ${productVersion()} reads ${readFormats}. ` +
      `Nothing was changed. Back up and export wallets with version ${mark?.version ?? UNNUMBERED_VERSION}, then ${place.remedy}.`,
  );
}

/** The formats that this version reads, in words. */
export const readFormats = `formats ${OLDEST_FORMAT} to ${DATA_FORMAT} only`;

const ourMark = (): Mark => ({ format: DATA_FORMAT, version: productVersion() });

/** Throws a StartError when the data directory holds data of a format that is not read. A missing one is accepted. Writes nothing. */
export async function checkDirectoryFormat(directory: string): Promise<void> {
  await markOf(directoryPlace(directory));
}

/**
 * Checks a data directory as `checkDirectoryFormat` does, and writes the mark into an empty or missing one. One of an older
 * format keeps its mark until the start has migrated it.
 */
export async function claimDirectory(directory: string): Promise<void> {
  if ((await markOf(directoryPlace(directory))) === null) await markDirectory(directory);
}

/** Writes the mark of the present format into a data directory that has none or, after a migration, an older one. */
export async function raiseDirectory(directory: string): Promise<void> {
  if ((await markOf(directoryPlace(directory)))?.format !== DATA_FORMAT) await markDirectory(directory);
}

async function markDirectory(directory: string): Promise<void> {
  const file = path.join(directory, FILE);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Replaced as a whole: a kill within the write must not leave data without a format.
    await writeFile(`${file}${PARTIAL}`, `${JSON.stringify(ourMark())}\n`, { mode: 0o600, flush: true });
    await rename(`${file}${PARTIAL}`, file);
  } catch (error) {
    throw new StartError(`DATA_DIR ${directory} can't be written (${codeOf(error)}).`, { cause: error });
  }
}

function directoryPlace(directory: string): Place {
  return {
    name: `DATA_DIR ${directory}`,
    remedy: 'set DATA_DIR to an empty folder',
    async read() {
      const text = await unlessMissing(directory, () => readFile(path.join(directory, FILE), 'utf8'));
      return text === null ? null : parseMark(text);
    },
    async isEmpty() {
      const names = (await unlessMissing(directory, () => readdir(directory))) ?? [];
      return names.every((name) => NO_DATA.includes(name));
    },
  };
}

function parseMark(text: string): Mark | null {
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Resolves with null when a file or folder does not exist. Throws a StartError when it can't be read. */
async function unlessMissing<Result>(directory: string, read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    const code = codeOf(error);
    // A part of the path that is a file makes a claim fail with its own sentence.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new StartError(`DATA_DIR ${directory} can't be read (${code}).`, { cause: error });
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

/**
 * Throws a StartError when the database holds data of another format, also of one that a start migrates. Writes the mark into
 * an empty one.
 */
export async function claimDatabase({ db: database }: Pick<Connection, 'db'>): Promise<void> {
  if (database === undefined) throw new TypeError('the connection has no database');
  const mark = await databaseMark(database);
  // Of two processes that start together one inserts it.
  if (mark === null) await marksOf(database).updateOne({ _id: ID }, { $setOnInsert: ourMark() }, { upsert: true });
  else if (mark.format < DATA_FORMAT) {
    throw new StartError(
      `${DATABASE_NAME} holds data of format ${mark.format}. Start Mintwatch once: it makes a backup and migrates it to format ${DATA_FORMAT}.`,
    );
  }
}

/** Resolves with the mark of the database; null when it is empty. Throws a StartError when it has another format, or none. */
export function databaseMark(database: mongo.Db): Promise<Mark | null> {
  return markOf({
    name: DATABASE_NAME,
    remedy: 'set MONGODB_URI to an empty database',
    read: async () => markSchema.safeParse(await marksOf(database).findOne({ _id: ID })).data ?? null,
    isEmpty: () => isEmptyDatabase(database),
  });
}

/** Writes the mark of the database; by default that of the present format. */
export async function markDatabase(database: mongo.Db, mark: Mark = ourMark()): Promise<void> {
  await marksOf(database).replaceOne({ _id: ID }, mark, { upsert: true });
}

const DATABASE_NAME = 'The database of MONGODB_URI';

const marksOf = (database: mongo.Db) => database.collection<{ _id: string }>(COLLECTION);

/** Resolves with whether no collection has a document, apart from the mark. */
export async function isEmptyDatabase(database: mongo.Db): Promise<boolean> {
  for (const name of await collectionsOf(database)) {
    if (await database.collection(name).findOne({}, { projection: { _id: 1 } })) return false;
  }
  return true;
}

/** Resolves with the names of the collections, sorted, without the engine's own and the mark. */
export async function collectionsOf(database: mongo.Db): Promise<string[]> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.') && name !== COLLECTION)
    .sort();
}
