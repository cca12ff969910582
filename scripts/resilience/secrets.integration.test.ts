import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findTraces } from '../../api/testing/traces.ts';
import { rooms } from '../../common/live/rooms.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { embeddedMongoForTest, type PrivateMongo } from '../testing/embedded-mongo.ts';
import { connectLive, type LiveClient, type Product, post, startProduct } from './product.ts';

const PASSWORD = 'correct-horse-battery';
const made = walletOf('3f9a61c07be24d5812a6ef90d47b35c8e1206f9bad43785cc2f10e96b7584da3');
const imported = walletOf('b27d04e96a5fc318d09b47e2835ca16f7de3490cb6218fa5c4d7701e9e35f82b');
const keys = [made, imported].map(({ privateKey }) => privateKey);

function walletOf(seed: string) {
  const pair = Keypair.fromSeed(Buffer.from(seed, 'hex'));
  return { walletAddress: pair.publicKey.toBase58(), privateKey: Buffer.from(pair.secretKey).toString('hex') };
}

let mongo: PrivateMongo;
let dataDir: string;
let product: Product | null = null;
/** What the product wrote, what it answered (save where a key is asked for), and what its sockets said. */
const seen = { log: '', answers: '', frames: '' };

beforeAll(async () => {
  mongo = await embeddedMongoForTest();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-secrets-'));
});
afterAll(async () => {
  await product?.kill();
  await mongo.remove();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<Product> {
  const env = { MONGODB_URI: mongo.uri, DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, MARKET_RATE: '600' };
  product = await startProduct({ ...env, LOG_LEVEL: 'trace' }, (line) => {
    seen.log += `${line}\n`;
  });
  return product;
}

/** A user's calls; each answer is kept, with its headers. */
async function enter(url: string, call: 'register' | 'login') {
  const entered = await post(url, `/api/auth/${call}`, { username: 'Keeper', password: PASSWORD });
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  async function ask(method: string, where: string, body?: unknown, isKeyAskedFor = false) {
    const response = await fetch(url + where, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!isKeyAskedFor) seen.answers += `${JSON.stringify([...response.headers])}\n${text}\n`;
    return { status: response.status, text };
  }
  const { id } = JSON.parse((await ask('GET', '/api/auth/me')).text);
  return { ask, cookie, id: String(id), wallet: `/api/users/${id}/wallet` };
}

/** A tab that hears whatever this user may hear, and keeps every frame as it came. */
async function listen(url: string, { cookie, id }: { cookie: string; id: string }): Promise<LiveClient> {
  const live = connectLive(url, cookie);
  live.io.engine.on('data', (data: unknown) => {
    seen.frames += Buffer.isBuffer(data) ? data.toString('latin1') : `${String(data)}\n`;
  });
  await new Promise<void>((resolve) => live.once('hello', () => resolve()));
  expect(await live.emitWithAck('subscribe', { topic: rooms.user(id) })).toEqual({ ok: true });
  return live;
}

/** Where in the files of these folders a trace of one of the keys is, and in which form. */
async function onDisk(...folders: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const bytes = await readFile(file);
      for (const key of keys) found.push(...findTraces(key, bytes).map((form) => `${entry.name}: ${form}`));
    }
  }
  return found;
}

/** The same for everything that the database answers. */
async function inDatabase(): Promise<string[]> {
  const connection = await mongoose.createConnection(mongo.uri).asPromise();
  const found: string[] = [];
  for (const { name } of await connection.listCollections()) {
    const documents = await connection.collection(name).find().toArray();
    const text = mongoose.mongo.BSON.EJSON.stringify(documents);
    for (const key of keys) found.push(...findTraces(key, text).map((form) => `${name}: ${form}`));
  }
  await connection.close();
  return found;
}

async function wholeRun(): Promise<void> {
  const first = await start();
  const user = await enter(first.url, 'register');
  const live = await listen(first.url, user);
  const password = { password: PASSWORD };
  expect((await user.ask('POST', user.wallet, made)).status).toBe(200);
  expect((await user.ask('POST', `${user.wallet}/reveal`, password, true)).text).toContain(made.privateKey);
  expect((await user.ask('POST', user.wallet, imported)).status).toBe(200);
  const previous = walletCalls.previous.output.parse(
    JSON.parse((await user.ask('GET', `${user.wallet}/previous`)).text),
  );
  const recovery = { id: previous[0]?.id, ...password };
  expect((await user.ask('POST', `${user.wallet}/recover`, recovery)).status).toBe(200);
  await badRequests(user);
  await vi.waitFor(() => expect(seen.frames.match(/"subject":"wallet"/g)).toHaveLength(3));
  live.close();
  await first.stop();

  const second = await start();
  const again = await enter(second.url, 'login');
  const later = await listen(second.url, again);
  expect((await again.ask('GET', '/api/settings')).text).toContain(made.walletAddress);
  expect((await again.ask('POST', `${again.wallet}/reveal`, password, true)).text).toContain(made.privateKey);
  const change = { walletAddress: imported.walletAddress, replaceKey: true };
  expect((await again.ask('PATCH', '/api/settings', change)).status).toBe(200);
  await vi.waitFor(() => expect(seen.frames.match(/"subject":"wallet"/g)).toHaveLength(4));
  later.close();
  await second.stop();
  product = null;
}

async function badRequests({ ask, wallet }: Awaited<ReturnType<typeof enter>>): Promise<void> {
  const requests: [method: string, where: string, body?: unknown][] = [
    ['POST', wallet, { ...made, privateKey: imported.privateKey }],
    ['POST', wallet, { ...made, privateKey: made.privateKey.slice(2) }],
    ['POST', wallet, { walletAddress: made.privateKey, privateKey: [made.privateKey] }],
    ['POST', wallet, { ...imported, secret: imported.privateKey }],
    ['POST', wallet, JSON.stringify(made).slice(0, -2)],
    ['POST', `${wallet}?privateKey=${made.privateKey}`, made],
    ['POST', `${wallet}/reveal`, { password: made.privateKey }],
    ['GET', `${wallet}/${imported.privateKey}`],
    ['PATCH', '/api/settings', { walletAddress: imported.privateKey }],
  ];
  for (const [method, where, body] of requests) {
    expect((await ask(method, where, body)).status).toBeGreaterThanOrEqual(400);
  }
}

test('in a whole run a private key is in no file, log line, answer or frame but the answer that reveals it [S3-19, S3-18]', {
  timeout: 120_000,
}, async () => {
  await wholeRun();
  expect(await inDatabase()).toEqual([]);
  expect(await onDisk(mongo.directory, dataDir)).toEqual([]);
  for (const [where, text] of Object.entries(seen)) {
    expect(text.length, where).toBeGreaterThan(1000);
    for (const key of keys) expect(findTraces(key, text), where).toEqual([]);
  }
  expect(seen.log).toContain('/wallet/reveal');
  expect(seen.log).not.toContain(PASSWORD);
  expect(await readdir(dataDir)).toContain('wallet-master-key');
});

test('the same search finds a key that is stored in any form', { timeout: 120_000 }, async () => {
  const key = Buffer.from(made.privateKey, 'hex');
  const forms: Record<string, string | Buffer> = {
    bytes: key,
    hex: key.toString('hex'),
    'HEX in capitals': key.toString('hex').toUpperCase(),
    base64: key.toString('base64'),
    'base58 of the key': bs58.encode(key),
    'base58 of the seed': bs58.encode(key.subarray(0, 32)),
    'list of bytes': JSON.stringify([...key]),
  };
  const connection = await mongoose.createConnection(mongo.uri).asPromise();
  for (const [form, value] of Object.entries(forms)) {
    await connection.collection('planted').insertOne({ value }, { writeConcern: { w: 1, j: true } });
    await writeFile(path.join(dataDir, `planted as ${form}`), value);
  }
  await connection.close();
  const inFiles = await onDisk(mongo.directory, dataDir);
  for (const form of Object.keys(forms)) {
    expect(inFiles).toContain(`planted as ${form}: ${form}`);
    // Compressed with what is around it, or not: a piece of it is there.
    expect(inFiles).toContainEqual(expect.stringMatching(new RegExp(`^(?!planted as ).*: ${form}$`)));
  }
  const inCollections = await inDatabase();
  for (const form of ['hex', 'base58 of the key', 'list of bytes']) expect(inCollections).toContain(`planted: ${form}`);
  expect(findTraces(made.privateKey, `2[${JSON.stringify(made)}]`)).toEqual(['hex']);
});
