/**
 * The embedded engine leaves out MongoDB's TTL monitor, so the server sweeps by itself: each TTL index deletes what it
 * says has expired. Only dates expire, as with the monitor.
 */
import { command } from './wire.mjs';

const SYSTEM_DATABASES = ['local', 'config', 'admin'];
const MOST_COLLECTIONS = 10_000;
const MOST_INDEXES = 1_000;

async function ttlIndexes(engine, database, collection) {
  const listing = await command(engine, database, { listIndexes: collection, cursor: { batchSize: MOST_INDEXES } });
  return listing.cursor.firstBatch.filter((index) => typeof index.expireAfterSeconds === 'number');
}

async function deleteExpired(engine, database, collection, index, now) {
  const field = Object.keys(index.key)[0];
  const before = new Date(now - 1000 * index.expireAfterSeconds);
  const expired = { [field]: { $lt: before, $type: 'date' } };
  const { n } = await command(engine, database, {
    delete: collection,
    deletes: [{ q: { $and: [expired, index.partialFilterExpression ?? {}] }, limit: 0, hint: index.name }],
    writeConcern: { w: 1 },
  });
  return n;
}

/**
 * @param engine the open engine
 * @param {number} now milliseconds since 1970
 * @returns {Promise<number>} how many documents were deleted
 */
export async function sweepExpired(engine, now) {
  let deleted = 0;
  const { databases } = await command(engine, 'admin', { listDatabases: 1, nameOnly: true });
  for (const { name: database } of databases) {
    if (SYSTEM_DATABASES.includes(database)) continue;
    const { cursor } = await command(engine, database, {
      listCollections: 1,
      filter: { type: 'collection' },
      nameOnly: true,
      cursor: { batchSize: MOST_COLLECTIONS },
    });
    for (const { name: collection } of cursor.firstBatch) {
      // A collection may be dropped between the listing and this line; the next sweep sees what is left.
      const indexes = await ttlIndexes(engine, database, collection).catch(() => []);
      for (const index of indexes) deleted += await deleteExpired(engine, database, collection, index, now);
    }
  }
  return deleted;
}
