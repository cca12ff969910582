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

/** Names of the databases of the present file. */
const used = new Set<string>();

/** A database that nothing else uses, on the server of this test run. Call it once a file, or once a test. */
export function testDatabase(): { uri: string } {
  const name = `test-${randomUUID()}`;
  used.add(name);
  return { uri: withDatabase(inject('mongoUri'), name) };
}

/** Drops the databases of a file: each costs MongoDB time until the end of the run. */
export async function dropDatabases(): Promise<void> {
  if (used.size === 0) return;
  const client = await mongoose.mongo.MongoClient.connect(inject('mongoUri'));
  for (const name of used) await client.db(name).dropDatabase();
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
