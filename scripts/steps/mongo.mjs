import path from 'node:path';

/**
 * The database of a server: the embedded MongoDB in the data directory, or the server that MONGODB_URI names.
 * @param {{ dataDir: string, mongoUri: string | null }} config `dataDir` is absolute
 * @param {{ tell(detail: string): void, say(line: string): void, add(part: import('./shutdown.mjs').Part): void }} on
 * @param {{ alone?: boolean }} [options] false: also beside a Mintwatch that runs on the same directory
 * @returns {Promise<string>} its URI
 */
export async function startMongo({ dataDir, mongoUri }, { tell, say, add }, { alone = true } = {}) {
  if (mongoUri !== null) {
    tell('the server of MONGODB_URI');
    return mongoUri;
  }
  // Imported late: it needs a package.
  const { startEmbeddedMongo } = await import('../embedded-mongo/launcher.mjs');
  const directory = path.join(dataDir, 'mongo');
  const mongo = await startEmbeddedMongo(directory, { log: say, alone });
  add({ stop: () => mongo.stop(), force: () => mongo.kill() });
  tell(`embedded (pid ${mongo.pid()}), data in ${directory}`);
  return mongo.uri;
}
