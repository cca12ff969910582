import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createConnection } from 'mongoose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { builtFile } from '../../api/testing/built.ts';
import { embeddedMongoForTest, type PrivateMongo, startBuiltMongo } from '../testing/embedded-mongo.ts';
import { killedApp } from '../testing/killed-app.ts';

const WAIT = { timeout: 15_000, interval: 20 };

async function privateServer(options?: Parameters<typeof embeddedMongoForTest>[0]): Promise<PrivateMongo> {
  const mongo = await embeddedMongoForTest(options);
  onTestFinished(() => mongo.remove());
  return mongo;
}

/** Opens a collection over a new connection, which is closed after the test. */
async function openCollection(uri: string, name = 'things') {
  const connection = await createConnection(uri, { serverSelectionTimeoutMS: 10_000 }).asPromise();
  onTestFinished(() => connection.close(true));
  return connection.collection<{ _id: number; at?: Date; keep?: boolean }>(name);
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const pidOf = (mongo: { pid(): number | null }): number => {
  const pid = mongo.pid();
  if (pid === null) throw new Error('the server is down');
  return pid;
};

test('acknowledged writes survive kill -9 of the server, which the launcher restarts', async () => {
  const lines: string[] = [];
  const mongo = await privateServer({ log: (line) => lines.push(line) });
  const things = await openCollection(mongo.uri);
  const acknowledged: number[] = [];
  let isKilled = false;
  const writers = [0, 1, 2, 3].map(async (writer) => {
    // A write that begins after the kill waits for the restarted server, so that errors alone would not end all writers.
    for (let n = writer; !isKilled; n += 4) {
      try {
        await things.insertOne({ _id: n });
        acknowledged.push(n);
      } catch {
        return; // the kill
      }
    }
  });
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(200), WAIT);
  const restarted = mongo.kill();
  isKilled = true;
  await Promise.all([restarted, ...writers]);

  const stored = new Set((await things.find().toArray()).map(({ _id }) => _id));
  expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
  expect(lines[0]).toContain('ended unexpectedly');
});

test('a clean stop ends the process, removes the sockets and keeps the data', async () => {
  const mongo = await privateServer();
  const things = await openCollection(mongo.uri);
  await things.insertOne({ _id: 1 });
  const pid = pidOf(mongo);
  await mongo.stop();
  expect(mongo.pid()).toBeNull();
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), WAIT);
  expect((await readdir(mongo.directory)).filter((name) => /\.(sock|control)$/.test(name))).toEqual([]);

  await mongo.start();
  expect(pidOf(mongo)).not.toBe(pid);
  expect(await things.countDocuments()).toBe(1);
});

test('a second launcher on the same directory shares its server, which stays until the last one leaves', async () => {
  const mongo = await privateServer();
  const second = await startBuiltMongo(mongo.directory);
  onTestFinished(() => second.stop());
  expect(second.uri).toBe(mongo.uri);
  expect(second.pid()).toBe(mongo.pid());

  const pid = pidOf(mongo);
  await mongo.stop();
  expect(isRunning(pid)).toBe(true);
  const things = await openCollection(second.uri);
  await things.insertOne({ _id: 1 });
  await second.stop();
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), WAIT);
});

test('one launcher claims the directory, shares it with launchers without a claim, and frees it when it stops', async () => {
  const mongo = await privateServer({ alone: true });
  const pid = pidOf(mongo);
  const other = () => startBuiltMongo(mongo.directory, { alone: true });
  const refusal = {
    name: 'StartError',
    message: `Another Mintwatch (process ${process.pid}) runs on ${mongo.directory}. Stop it, or set DATA_DIR to another directory.`,
  };
  await expect(other()).rejects.toMatchObject(refusal);
  const sharing = await startBuiltMongo(mongo.directory);
  onTestFinished(() => sharing.stop());
  expect(sharing.pid()).toBe(pid);

  // The claim survives the server: the launcher renews it with the restarted one.
  await mongo.kill();
  await expect(other()).rejects.toMatchObject(refusal);

  await mongo.stop();
  const next = await other();
  onTestFinished(() => next.stop());
  await expect(other()).rejects.toMatchObject(refusal);
});

test('launchers that race for one directory elect one server', async () => {
  const mongo = await privateServer();
  await mongo.stop();
  const racers = await Promise.all([1, 2, 3].map(() => startBuiltMongo(mongo.directory)));
  for (const racer of racers) onTestFinished(() => racer.stop());
  expect(new Set(racers.map((racer) => racer.pid())).size).toBe(1);
});

test('the TTL sweep deletes expired documents only', async () => {
  const mongo = await privateServer({ sweepMs: 50 });
  const things = await openCollection(mongo.uri);
  await things.createIndex({ at: 1 }, { expireAfterSeconds: 60, partialFilterExpression: { keep: false } });
  const old = new Date(Date.now() - 120_000);
  await things.insertMany([
    { _id: 1, at: old, keep: false },
    { _id: 2, at: old, keep: true },
    { _id: 3, at: new Date(), keep: false },
    { _id: 4 },
  ]);
  const left = async () => (await things.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  await vi.waitFor(async () => expect(await left()).toEqual([2, 3, 4]), WAIT);
});

/** Starts MongoDB from another process and kills that process. Returns the server's pid. */
const killedLauncher = (directory: string, idleMs: number, alone = false) =>
  killedApp(`
    import { startEmbeddedMongo } from ${JSON.stringify(builtFile('scripts/embedded-mongo/launcher.ts'))};
    const options = ${JSON.stringify({ idleMs, alone })};
    console.log((await startEmbeddedMongo(${JSON.stringify(directory)}, options)).pid());`);

test('the server ends after kill -9 of the app', async () => {
  const mongo = await privateServer();
  await mongo.stop();
  const pid = await killedLauncher(mongo.directory, 200);
  expect(pid).toBeGreaterThan(0);
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), WAIT);
});

test('the next start takes the server over after kill -9 of the app', async () => {
  const mongo = await privateServer();
  await mongo.stop();
  const pid = await killedLauncher(mongo.directory, 60_000);
  await mongo.start();
  expect(mongo.pid()).toBe(pid);
});

test('kill -9 of an app ends its claim', async () => {
  const mongo = await privateServer({ alone: true });
  await mongo.stop();
  const pid = await killedLauncher(mongo.directory, 60_000, true);
  await mongo.start();
  expect(mongo.pid()).toBe(pid);
});

test('serves large documents and many connections', async () => {
  const mongo = await privateServer();
  const things = await openCollection(mongo.uri);
  const megabyte = 'x'.repeat(1_000_000);
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => things.updateOne({ _id: n }, { $set: { megabyte } }, { upsert: true })),
  );
  const found = await things.find().toArray();
  expect(found.map((thing) => 'megabyte' in thing && String(thing.megabyte).length)).toEqual(
    Array.from({ length: 30 }, () => 1_000_000),
  );
});

test('refuses a directory that cannot be made with one line that names MONGODB_URI', async () => {
  await expect(startBuiltMongo('/dev/null/data')).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(
      /^The embedded MongoDB cannot write to \/dev\/null\/data \(\w+\)\. Set MONGODB_URI[^\n]*$/,
    ),
  });
});

test('a damaged database is named in one line, with the way back', async () => {
  const mongo = await privateServer();
  await (await openCollection(mongo.uri)).insertOne({ _id: 1 });
  await mongo.stop();
  await writeFile(path.join(mongo.directory, 'WiredTiger.turtle'), 'not what WiredTiger has written');
  await expect(startBuiltMongo(mongo.directory)).rejects.toThrow(
    `the database in ${mongo.directory} seems to be damaged. Move that folder away and restore a backup (npm run restore).`,
  );
});
