/** Deletes expired documents, as MongoDB's TTL monitor does: the embedded engine has none. Only dates expire. */
import { z } from 'zod';
import type { Engine } from './engine.ts';
import { runCommand } from './wire.ts';

const SYSTEM_DATABASES = ['local', 'config', 'admin'];
const MAX_COLLECTIONS = 10_000;
const MAX_INDEXES = 1_000;

const databasesSchema = z.object({ databases: z.array(z.object({ name: z.string() })) });
const collectionsSchema = z.object({ cursor: z.object({ firstBatch: z.array(z.object({ name: z.string() })) }) });
const indexesSchema = z.object({
  cursor: z.object({
    firstBatch: z.array(
      z.object({
        name: z.string(),
        key: z.record(z.string(), z.unknown()),
        expireAfterSeconds: z.number().optional(),
        partialFilterExpression: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
});
const deletedSchema = z.object({ n: z.number() });

type Index = z.infer<typeof indexesSchema>['cursor']['firstBatch'][number];

/** Deletes the expired documents of all databases. Resolves with their number. */
export async function sweepExpired(engine: Engine, nowMs: number): Promise<number> {
  let deleted = 0;
  const { databases } = databasesSchema.parse(await runCommand(engine, 'admin', { listDatabases: 1, nameOnly: true }));
  for (const { name: database } of databases) {
    if (SYSTEM_DATABASES.includes(database)) continue;
    for (const collection of await collectionsOf(engine, database)) {
      // A collection dropped since the listing is skipped.
      const indexes = await indexesOf(engine, database, collection).catch(() => []);
      for (const index of indexes) deleted += await deleteExpired(engine, database, collection, index, nowMs);
    }
  }
  return deleted;
}

async function collectionsOf(engine: Engine, database: string): Promise<string[]> {
  const response = await runCommand(engine, database, {
    listCollections: 1,
    filter: { type: 'collection' },
    nameOnly: true,
    cursor: { batchSize: MAX_COLLECTIONS },
  });
  return collectionsSchema.parse(response).cursor.firstBatch.map(({ name }) => name);
}

async function indexesOf(engine: Engine, database: string, collection: string): Promise<Index[]> {
  const response = await runCommand(engine, database, { listIndexes: collection, cursor: { batchSize: MAX_INDEXES } });
  return indexesSchema.parse(response).cursor.firstBatch;
}

async function deleteExpired(
  engine: Engine,
  database: string,
  collection: string,
  { name, key, expireAfterSeconds, partialFilterExpression = {} }: Index,
  nowMs: number,
): Promise<number> {
  const [field] = Object.keys(key);
  if (expireAfterSeconds === undefined || field === undefined) return 0;
  const expired = { [field]: { $lt: new Date(nowMs - 1000 * expireAfterSeconds), $type: 'date' } };
  const response = await runCommand(engine, database, {
    delete: collection,
    deletes: [{ q: { $and: [expired, partialFilterExpression] }, limit: 0, hint: name }],
    writeConcern: { w: 1 },
  });
  return deletedSchema.parse(response).n;
}
