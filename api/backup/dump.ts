import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mongo } from 'mongoose';
import { z } from 'zod';
import { StartError } from '../config/config.ts';
import { collectionsOf, isEmptyDatabase } from '../platform/data-format.ts';
import { checkFile } from './checksum.ts';

type Database = mongo.Db;
const { BSON } = mongo;

/** Documents of one insert. */
const BATCH = 500;
/** A document's length in bytes, itself included, precedes it as an int32. */
const LENGTH_BYTES = 4;

/** A dumped collection: file `<name>.bson` of concatenated documents, as `mongodump` writes them. */
export const dumpedCollectionSchema = z.strictObject({
  name: z.string(),
  documents: z.int().nonnegative(),
  /** SHA-256 of the file, hexadecimal. */
  sha256: z.string(),
});
export type DumpedCollection = z.infer<typeof dumpedCollectionSchema>;

/**
 * Writes every collection of the database to `folder`. Documents are read one after the other while others change them, so
 * each is whole, and those written during the dump may be in it or not.
 */
export async function dumpDatabase(database: Database, folder: string): Promise<DumpedCollection[]> {
  const dumped: DumpedCollection[] = [];
  for (const name of await collectionsOf(database))
    dumped.push(await dumpCollection(database, name, fileOf(folder, name)));
  return dumped;
}

/** Throws a StartError when the database has documents: a restore would mix two databases. */
export async function requireEmpty(database: Database): Promise<void> {
  if (await isEmptyDatabase(database)) return;
  throw new StartError(
    'The database is not empty. A backup is restored into an empty one: set DATA_DIR or MONGODB_URI.',
  );
}

/** Throws a StartError that names the first file which is missing or not as it was written. */
export async function checkDump(folder: string, dumped: readonly DumpedCollection[]): Promise<void> {
  for (const { name, sha256 } of dumped) await checkFile(fileOf(folder, name), sha256);
}

/** Drops the collections of a dump, to undo a restore that failed. */
export async function dropRestored(database: Database, dumped: readonly DumpedCollection[]): Promise<void> {
  for (const { name } of dumped) await database.collection(name).drop();
}

/** Inserts the documents of a checked dump. The next start of Mintwatch creates the indexes. */
export async function restoreDatabase(
  database: Database,
  folder: string,
  dumped: readonly DumpedCollection[],
): Promise<void> {
  for (const { name } of dumped) {
    const collection = database.collection(name);
    let batch: mongo.Document[] = [];
    for await (const document of documentsOf(fileOf(folder, name))) {
      batch.push(document);
      if (batch.length < BATCH) continue;
      await collection.insertMany(batch);
      batch = [];
    }
    if (batch.length > 0) await collection.insertMany(batch);
  }
}

function fileOf(folder: string, collection: string): string {
  return path.join(folder, `${collection}.bson`);
}

async function dumpCollection(database: Database, name: string, file: string): Promise<DumpedCollection> {
  const hash = createHash('sha256');
  let documents = 0;
  async function* bytesOf() {
    // Raw, so that every type comes out as it is stored. By _id, whose index every collection has.
    for await (const document of database.collection(name).find({}, { raw: true }).sort({ _id: 1 })) {
      // With `raw`, documents are the bytes of their BSON, which the driver's types do not have.
      const bytes: unknown = document;
      if (!(bytes instanceof Uint8Array)) throw new TypeError('the driver has decoded a raw document');
      hash.update(bytes);
      documents += 1;
      yield bytes;
    }
  }
  const output = createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true });
  await pipeline(Readable.from(bytesOf(), { highWaterMark: 16 }), output);
  return { name, documents, sha256: hash.digest('hex') };
}

/** Yields the documents of a file without converting numbers, so that their types stay. */
async function* documentsOf(file: string): AsyncGenerator<mongo.Document> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    while (rest.length - start >= LENGTH_BYTES) {
      const length = rest.readInt32LE(start);
      if (rest.length - start < length) break;
      yield BSON.deserialize(rest.subarray(start, start + length), { promoteValues: false, bsonRegExp: true });
      start += length;
    }
    rest = rest.subarray(start);
  }
}
