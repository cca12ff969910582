import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import mongoose from 'mongoose';
import { beforeEach, expect, test } from 'vitest';
import { StartError } from './config/config.ts';
import { main } from './main.ts';
import type { RunningServer } from './process.ts';
import { startTestServer } from './test-server.ts';
import { testDatabase } from './testing/database.ts';
import { testFolder } from './testing/folder.ts';
import { passwordIn } from './testing/server.ts';

const dataDir = await testFolder('main');
let mongoUri: string;
/** Lines that the starts of a test announced. */
let announced: string[];

beforeEach(() => {
  mongoUri = testDatabase().uri;
  announced = [];
});

const run = (env: Record<string, string> = {}, uri = mongoUri) =>
  main({
    env: { PORT: '0', MARKET: 'off', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...env },
    mongoUri: uri,
    webRoot: dataDir,
    announce: (line) => announced.push(line),
  });

const login = (server: RunningServer, username: string, password: string) =>
  fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });

async function refusal(env: Record<string, string>): Promise<string> {
  const error = await run(env).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error instanceof Error ? error : new Error('it started');
  expect(message).not.toContain('\n');
  return message;
}

test('the first administrator gets a generated password, announced at the first start only [S6-03]', async () => {
  const first = await run();
  const password = passwordIn(announced) ?? '';
  expect(password).toMatch(/^[\w-]{20}$/);
  expect(await (await login(first, 'admin', password)).json()).toMatchObject({ username: 'admin', isAdmin: true });
  await first.stop();
  announced = [];
  const second = await run();
  expect(passwordIn(announced)).toBeNull();
  expect((await login(second, 'admin', password)).status).toBe(200);
  await second.stop();
});

test('ADMIN_USERNAME and ADMIN_PASSWORD name the first administrator, and nothing is printed [S6-03]', async () => {
  const server = await run({ ADMIN_USERNAME: 'Chief', ADMIN_PASSWORD: 'chosen by hand' });
  expect(passwordIn(announced)).toBeNull();
  expect(announced.join()).not.toContain('chosen by hand');
  expect(await (await login(server, 'chief', 'chosen by hand')).json()).toMatchObject({
    username: 'Chief',
    isAdmin: true,
  });
  await server.stop();
});

test('a registered user does not become administrator because of the name [S6-03]', async () => {
  const server = await startTestServer({ mongoUri });
  await server.register('Climber');
  await server.connection.collection('users').deleteOne({ isAdmin: true });
  await server.stop();
  expect(await refusal({ ADMIN_USERNAME: 'climber' })).toMatch(/^ADMIN_USERNAME "climber" is the name of a user/);
});

test('a port in use is one clear line', async () => {
  const { port, free } = await takePort();
  expect(await refusal({ PORT: port })).toBe(
    `PORT ${port} on 127.0.0.1 is in use. Stop the other program or choose another PORT.`,
  );
  free();
});

test('the administrator exists before clients can connect, and a start that fails later has announced the password [S6-03]', async () => {
  const { port, free } = await takePort();
  await refusal({ PORT: port });
  free();
  const password = passwordIn(announced) ?? '';
  const server = await run();
  expect((await login(server, 'admin', password)).status).toBe(200);
  await server.stop();
});

/** A port that another program listens on. */
async function takePort(): Promise<{ port: string; free: () => void }> {
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  return { port: String(typeof address === 'object' && address ? address.port : 0), free: () => taken.close() };
}

test('a bad variable, a missing recording and a data directory that is none are one clear line', async () => {
  expect(await refusal({ PORT: 'http' })).toBe('PORT: must be a whole number from 0 to 65535');
  expect(await refusal({ MARKET: 'replay:/nowhere/at-all.jsonl' })).toBe(
    "MARKET names the recording /nowhere/at-all.jsonl, which can't be read.",
  );
  expect(await refusal({ DATA_DIR: '/dev/null/data' })).toBe("DATA_DIR /dev/null/data can't be written (ENOTDIR).");
});

test('a database of another data format is refused before anything is written, to the data directory too', async () => {
  const connection = await mongoose.createConnection(mongoUri, { autoIndex: false, autoCreate: false }).asPromise();
  await connection.collection('users').insertOne({ username: 'Alice' });
  const folder = path.join(dataDir, 'unused');
  expect(await refusal({ DATA_DIR: folder })).toMatch(
    /^The database of MONGODB_URI holds data without a format number; .* export wallets with version \S+/,
  );
  const collections = (await connection.db?.listCollections().toArray()) ?? [];
  expect(collections.map(({ name }) => name)).toEqual(['users']);
  expect(await connection.collection('users').indexes()).toHaveLength(1);
  expect(existsSync(folder)).toBe(false);
  await connection.close();
});

test('the session keys are kept in a file that only its owner can read', async () => {
  const server = await run();
  await server.stop();
  const file = await stat(path.join(dataDir, 'session-keys'));
  expect(file.mode & 0o777).toBe(0o600);
});

test('stop ends everything, also with a request that never ends, and the port is free again', async () => {
  const server = await run();
  const { port } = new URL(server.url);
  const stuck = net.connect(Number(port), '127.0.0.1');
  stuck.on('error', () => {});
  await new Promise<void>((resolve) => stuck.once('connect', resolve));
  stuck.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  );
  await Promise.all([server.stop(), server.stop()]);
  await expect(fetch(server.url)).rejects.toThrow();
  const again = await run({ PORT: port });
  await again.stop();
});
