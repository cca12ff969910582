import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { afterAll, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The MongoDB server of this test run, as `mongodb://…`. */
    mongoUri: string;
  }
}

/** The same server and options, with another database. */
export function withDatabase(uri: string, database: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri);
  if (!parts) throw new Error('not a MongoDB URI');
  return `${parts[1]}/${database}${parts[2] ?? ''}`;
}

/** Names of the databases of the present file, with whether servers of later files may use them. */
const used = new Map<string, boolean>();
/** Names of empty databases that earlier files have left, with the collections and indexes of the product. */
const prepared: string[] = [];
/** A database with more documents is dropped: deleting them takes longer than making the indexes. */
const REUSED_DOCUMENTS = 2_000;

function databaseOfFile(name: string): { uri: string } {
  used.set(name, false);
  return { uri: withDatabase(inject('mongoUri'), name) };
}

/** A database that nothing else uses, on the server of this test run. Call it once a file, or once a test. */
export const testDatabase = (): { uri: string } => databaseOfFile(`test-${randomUUID()}`);

/**
 * Returns an empty database for one server. Call `release` once the server has stopped: servers of later files use the database
 * then, since MongoDB takes a quarter of a second to create the indexes of the product.
 */
export function serverDatabase(): { uri: string; release: () => void } {
  const name = prepared.pop() ?? `test-${randomUUID()}`;
  return { ...databaseOfFile(name), release: () => void used.set(name, true) };
}

/** Empties the released databases of a file, for the next one, and drops its others: each costs MongoDB time until the end of the run. */
export async function releaseDatabases(): Promise<void> {
  if (used.size === 0) return;
  const client = await mongoose.mongo.MongoClient.connect(inject('mongoUri'));
  for (const [name, isReleased] of used) {
    const database = client.db(name);
    if (isReleased && (await database.stats()).objects <= REUSED_DOCUMENTS) {
      for (const collection of await database.collections()) await collection.deleteMany({});
      prepared.push(name);
    } else {
      await database.dropDatabase();
    }
  }
  used.clear();
  await client.close();
}

/** Connects to a database of its own, without indexes. The test closes it. */
export const connectTestDatabase = (options: ConnectOptions = {}): Promise<Connection> =>
  mongoose.createConnection(testDatabase().uri, { autoIndex: false, ...options }).asPromise();

/** Connects all tests of a file to a database of their own, without indexes, and closes it after them. */
export async function testConnection(options?: ConnectOptions): Promise<Connection> {
  const connection = await connectTestDatabase(options);
  afterAll(() => connection.close());
  return connection;
}

/** Connects the tests of a file to the database of another connection, as a further process does, and closes it after them. */
export async function furtherConnection({ name }: Pick<Connection, 'name'>): Promise<Connection> {
  const connection = await mongoose
    .createConnection(withDatabase(inject('mongoUri'), name), { autoIndex: false })
    .asPromise();
  afterAll(() => connection.close());
  return connection;
}
