import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection, mongo } from 'mongoose';
import { z } from 'zod';
import { StartError } from '../config/config.ts';
import { productVersion } from './product.ts';

/**
 * Number of the format of everything stored: in the data directory, the database and a backup. There is no code for another
 * one; a change of stored fields or files raises the number.
 */
export const DATA_FORMAT = 1;

/** The version that reads data from the time before the number existed. */
export const UNNUMBERED_VERSION = '0.1.0 (commit 622a2d5f)';

/** File of the data directory that holds its mark. */
const FILE = 'data-format';
/** Collection of the database that holds its mark, in one document. */
const COLLECTION = 'dataFormat';
const ID = 'mark';
/** What an empty directory may have: key files that belong to a database, and a folder of some file systems. */
const NO_DATA = [FILE, 'wallet-master-key', 'session-keys', 'lost+found'];

const markSchema = z.object({ format: z.int(), version: z.string() });
/** The format of a place, and the version that wrote it first. */
type Mark = z.infer<typeof markSchema>;

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
 * Resolves with whether the place is empty and has no mark yet. Throws a StartError when it has data without a mark, or with a
 * mark of another format. Writes nothing.
 */
async function isUnmarked(place: Place): Promise<boolean> {
  const before = await place.read();
  const isFree = before === null && (await place.isEmpty());
  if (isFree) return true;
  // Read again: another process may have marked it and written data meanwhile.
  const mark = before ?? (await place.read());
  if (mark?.format === DATA_FORMAT) return false;
  const found = mark ? `of format ${mark.format}` : 'without a format number';
  throw new StartError(
    `${place.name} holds data ${found}; Mintwatch ${productVersion()} reads format ${DATA_FORMAT} only. ` +
      `Nothing was changed. Back up and export wallets with version ${mark?.version ?? UNNUMBERED_VERSION}, then ${place.remedy}.`,
  );
}

const ourMark = (): Mark => ({ format: DATA_FORMAT, version: productVersion() });

/** Throws a StartError when the data directory holds data of another format. A missing one is accepted. Writes nothing. */
export async function checkDirectoryFormat(directory: string): Promise<void> {
  await isUnmarked(directoryPlace(directory));
}

/** Checks a data directory as `checkDirectoryFormat` does, and writes the mark into an empty or missing one. */
export async function claimDirectory(directory: string): Promise<void> {
  if (!(await isUnmarked(directoryPlace(directory)))) return;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // A kill within the write leaves a damaged mark in an empty directory, which the next start replaces.
    await writeFile(path.join(directory, FILE), `${JSON.stringify(ourMark())}\n`, { mode: 0o600, flush: true });
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

/** Throws a StartError when the database holds data of another format. Writes the mark into an empty one. */
export async function claimDatabase({ db: database }: Pick<Connection, 'db'>): Promise<void> {
  if (database === undefined) throw new TypeError('the connection has no database');
  const marks = database.collection<{ _id: string }>(COLLECTION);
  const place: Place = {
    name: 'The database of MONGODB_URI',
    remedy: 'set MONGODB_URI to an empty database',
    async read() {
      return markSchema.safeParse(await marks.findOne({ _id: ID })).data ?? null;
    },
    isEmpty: () => isEmptyDatabase(database),
  };
  // Of two processes that start together one inserts it.
  if (await isUnmarked(place)) await marks.updateOne({ _id: ID }, { $setOnInsert: ourMark() }, { upsert: true });
}

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
