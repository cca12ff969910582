import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import mongoose from 'mongoose';
import { afterAll, expect, test, vi } from 'vitest';
import { findTraces } from '../../api/testing/traces.ts';
import { rooms } from '../../common/live/rooms.ts';
import { defaultPresets, slippageBounds } from '../../common/trading/account.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { clientOf, SOL, WAIT } from '../local-chain/testing/client.ts';
import { startTelegramEmulator } from '../telegram-emulator/emulator.ts';
import { privateChain } from '../testing/private-services.ts';
import {
  ADMIN,
  chainVariable,
  connectLive,
  cookieOf,
  type LiveClient,
  type Product,
  post,
  productScene,
} from './product.ts';
import { coinForSale, linkChat, sentByBot, trade, tradeByBot, write } from './trading-run.ts';

const PASSWORD = ADMIN.password;
const generated = walletOf('3f9a61c07be24d5812a6ef90d47b35c8e1206f9bad43785cc2f10e96b7584da3');
const imported = walletOf('b27d04e96a5fc318d09b47e2835ca16f7de3490cb6218fa5c4d7701e9e35f82b');
const keys = [generated, imported].map(({ privateKey }) => privateKey);

function walletOf(seed: string) {
  const pair = Keypair.fromSeed(Buffer.from(seed, 'hex'));
  return { walletAddress: pair.publicKey.toBase58(), privateKey: Buffer.from(pair.secretKey).toString('hex') };
}

const chain = await privateChain();
const emulator = await startTelegramEmulator();
afterAll(() => emulator.stop());
const { mongo, dataDir, ...scene } = await productScene({
  ...chainVariable(chain),
  ...{ TELEGRAM_BOT_TOKEN: emulator.token, TELEGRAM_API_ROOT: emulator.apiRoot },
  ...{ MARKET_RATE: '60', LOG_LEVEL: 'trace' },
});
/** The product's log, its responses (except those that reveal a key), its socket frames, and its calls to Telegram. */
const seen = { log: '', responses: '', frames: '', telegram: '' };

const start = (): Promise<Product> =>
  scene.start((line) => {
    seen.log += `${line}\n`;
  });

/** Signs a user in. Returns their calls; each response is recorded with its headers. */
async function enter(url: string, call: 'register' | 'login') {
  const entered = await post(url, `/api/auth/${call}`, { username: 'Keeper', password: PASSWORD });
  const cookie = cookieOf(entered);
  async function request(method: string, where: string, body?: unknown, revealsKey = false) {
    const response = await fetch(url + where, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!revealsKey) seen.responses += `${JSON.stringify([...response.headers])}\n${text}\n`;
    return { status: response.status, text };
  }
  const { id } = JSON.parse((await request('GET', '/api/auth/me')).text);
  return { request, cookie, id: String(id), wallet: `/api/users/${id}/wallet` };
}

/** Connects a tab that receives all events of this user, and records every frame. */
async function listen(url: string, { cookie, id }: { cookie: string; id: string }): Promise<LiveClient> {
  const live = connectLive(url, cookie);
  live.io.engine.on('data', (data: unknown) => {
    seen.frames += Buffer.isBuffer(data) ? data.toString('latin1') : `${String(data)}\n`;
  });
  await new Promise<void>((resolve) => live.once('hello', () => resolve()));
  expect(await live.emitWithAck('subscribe', { topic: rooms.user(id) })).toEqual({ ok: true });
  return live;
}

/** Returns the files in these folders that contain a trace of a key, with its form. */
async function onDisk(...folders: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const bytes = contentOf(entry.name, await readFile(file));
      for (const key of keys) found.push(...findTraces(key, bytes).map((form) => `${entry.name}: ${form}`));
    }
  }
  return found;
}

/** Returns the content of a file; of a compressed one, as the tape, up to where it is written. */
function contentOf(name: string, bytes: Buffer): Buffer {
  return name.endsWith('.gz') ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
}

/** Returns the collections that contain a trace of a key, with its form. */
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
  expect((await user.request('POST', user.wallet, generated)).status).toBe(200);
  expect((await user.request('POST', `${user.wallet}/reveal`, password, true)).text).toContain(generated.privateKey);
  expect((await user.request('POST', user.wallet, imported)).status).toBe(200);
  const previous = walletCalls.previous.output.parse(
    JSON.parse((await user.request('GET', `${user.wallet}/previous`)).text),
  );
  const recovery = { id: previous[0]?.id, ...password };
  expect((await user.request('POST', `${user.wallet}/recover`, recovery)).status).toBe(200);
  await badRequests(user);
  await vi.waitFor(() => expect(seen.frames.match(/"subject":"wallet"/g)).toHaveLength(3));
  await trades(user);
  live.close();
  await first.stop();

  const second = await start();
  const returned = await enter(second.url, 'login');
  const later = await listen(second.url, returned);
  expect((await returned.request('GET', '/api/settings')).text).toContain(generated.walletAddress);
  expect((await returned.request('POST', `${returned.wallet}/reveal`, password, true)).text).toContain(
    generated.privateKey,
  );
  const change = { walletAddress: imported.walletAddress, replaceKey: true };
  expect((await returned.request('PATCH', '/api/settings', change)).status).toBe(200);
  await vi.waitFor(() => expect(seen.frames.match(/"subject":"wallet"/g)).toHaveLength(4));
  later.close();
  await second.stop();
}

/** Buys and sells by the page and by the bot, with a transaction that fails and one that the node loses. */
async function trades({ request }: Awaited<ReturnType<typeof enter>>): Promise<void> {
  const { connection } = clientOf(chain);
  const wallet = new PublicKey(generated.walletAddress);
  await connection.requestAirdrop(wallet, 10 * SOL);
  await vi.waitFor(async () => expect(await connection.getBalance(wallet)).toBe(10 * SOL), WAIT);
  // The price of a young coin moves while a transaction is repeated.
  const { max: slippageBps } = slippageBounds;
  const presets = {
    buy: defaultPresets.buy.map((preset) => ({ ...preset, slippageBps })),
    sell: defaultPresets.sell.map((preset) => ({ ...preset, slippageBps })),
  };
  expect((await request('PATCH', tradingCalls.changeAccount.path, { presets })).status).toBe(200);
  const { address } = await coinForSale(request);
  expect(await trade(request, { side: 'buy', address, lamports: SOL / 10 })).toMatchObject({ status: 'confirmed' });
  await chain.inject({ kind: 'error', method: 'sendTransaction', code: -32_002, message: 'refused by the test' });
  expect(await trade(request, { side: 'buy', address, lamports: SOL / 10 })).toMatchObject({ side: 'buy' });
  await chain.inject({ kind: 'disconnect', method: 'sendTransaction' });
  expect(await trade(request, { side: 'sell', address, sharePercent: 50 })).toMatchObject({ status: 'confirmed' });
  await linkChat(request, emulator);
  const bought = { command: `/buy ${address} 0.05`, button: 'Buy 0.05 SOL', side: 'buy' } as const;
  expect(await tradeByBot(request, emulator, bought)).toMatchObject({ status: 'confirmed' });
  const sold = { command: `/sell ${address} 100`, button: 'Sell all', side: 'sell' } as const;
  expect(await tradeByBot(request, emulator, sold)).toMatchObject({ status: 'confirmed' });
  // Each button was pressed twice.
  const { text } = await request('GET', tradingCalls.orders.path);
  expect(tradingCalls.orders.output.parse(JSON.parse(text))).toHaveLength(5);
  for (const command of ['/positions', '/orders', '/stop', '/resume']) await write(emulator, command);
  await vi.waitFor(() => {
    const { everything, messages } = sentByBot(emulator);
    seen.telegram = everything;
    for (const begin of ['Bought', 'Sold', 'Buying has stopped'])
      expect(messages).toContainEqual(expect.stringMatching(`^${begin}`));
  }, WAIT);
}

async function badRequests({ request, wallet }: Awaited<ReturnType<typeof enter>>): Promise<void> {
  const requests: [method: string, where: string, body?: unknown][] = [
    ['POST', wallet, { ...generated, privateKey: imported.privateKey }],
    ['POST', wallet, { ...generated, privateKey: generated.privateKey.slice(2) }],
    ['POST', wallet, { walletAddress: generated.privateKey, privateKey: [generated.privateKey] }],
    ['POST', wallet, { ...imported, secret: imported.privateKey }],
    ['POST', wallet, JSON.stringify(generated).slice(0, -2)],
    ['POST', `${wallet}?privateKey=${generated.privateKey}`, generated],
    ['POST', `${wallet}/reveal`, { password: generated.privateKey }],
    ['GET', `${wallet}/${imported.privateKey}`],
    ['PATCH', '/api/settings', { walletAddress: imported.privateKey }],
  ];
  for (const [method, where, body] of requests) {
    expect((await request(method, where, body)).status).toBeGreaterThanOrEqual(400);
  }
}

test('a private key is in no file, log line, response or frame except the response that reveals it [S3-19, S3-18]', {
  timeout: 300_000,
}, async () => {
  await wholeRun();
  expect(await inDatabase()).toEqual([]);
  expect(await onDisk(mongo.directory, dataDir, chain.directory)).toEqual([]);
  for (const [where, text] of Object.entries(seen)) {
    expect(text.length, where).toBeGreaterThan(1000);
    for (const key of keys) expect(findTraces(key, text), where).toEqual([]);
  }
  expect(seen.log).toContain('/wallet/reveal');
  expect(seen.log).not.toContain(PASSWORD);
  expect(await readdir(dataDir)).toContain('wallet-master-key');
});

test('the search finds a key that is stored in any form', { timeout: 120_000 }, async () => {
  const key = Buffer.from(generated.privateKey, 'hex');
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
    // The database file contains it as well, or a piece of it when compressed.
    expect(inFiles).toContainEqual(expect.stringMatching(new RegExp(`^(?!planted as ).*: ${form}$`)));
  }
  const inCollections = await inDatabase();
  for (const form of ['hex', 'base58 of the key', 'list of bytes']) expect(inCollections).toContain(`planted: ${form}`);
  expect(findTraces(generated.privateKey, `2[${JSON.stringify(generated)}]`)).toEqual(['hex']);
});
