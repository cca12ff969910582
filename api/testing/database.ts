import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

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

/** A database that nothing else uses, on the server of this test run. Call it once a file, or once a test. */
export function testDatabase(): { uri: string } {
  const database = `test-${randomUUID()}`;
  return { uri: withDatabase(inject('mongoUri'), database) };
}
