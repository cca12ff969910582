import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { startTestServer } from '../test-server.ts';
import { rawRequest } from '../testing/raw.ts';
import { PASSWORD, type TestServer } from '../testing/server.ts';
import { findTraces } from '../testing/traces.ts';
import { userIdOf } from '../testing/wallets.ts';

const pair = Keypair.fromSeed(Buffer.from('8f1d3c5b7a9e2046b8d0f2e4c6a81735597b9d1f3e5c7a081b2d4f6e8c0a3957', 'hex'));
const key = Buffer.from(pair.secretKey).toString('hex');
const base58 = bs58.encode(pair.secretKey);
const walletAddress = pair.publicKey.toBase58();

let server: TestServer;
let cookie: string;
let path: string;
/** Whatever the server wrote. */
let logged = '';

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    logged += typeof text === 'string' ? text : Buffer.from(text).toString();
    return true;
  });
  server = await startTestServer({ env: { LOG_LEVEL: 'trace' } });
  cookie = await server.register('Careless');
  path = `/api/users/${await userIdOf(server, cookie)}/wallet`;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.stop();
});

/** Requests in which a key is wrong, odd, or in the wrong place. */
function careless(): {
  name: string;
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}[] {
  const wrongKeys: Record<string, unknown> = {
    'one digit short': key.slice(1),
    'one digit long': `${key}0`,
    'with 0x': `0x${key}`,
    'with a blank': ` ${key}`,
    'as base58': base58,
    'the seed alone': key.slice(0, 64),
    'as a list': [...pair.secretKey],
    'in a list': [key],
    'in an object': { $gt: key },
    'with another half': key.slice(0, 64) + key.slice(0, 64),
  };
  const wallet = { walletAddress, privateKey: key };
  return [
    ...Object.entries(wrongKeys).map(([name, privateKey]) => ({ name, body: { walletAddress, privateKey } })),
    { name: 'as the address', body: { walletAddress: key, privateKey: key } },
    { name: 'as the address, in base58', body: { walletAddress: base58, privateKey: key } },
    { name: 'with an unknown field', body: { ...wallet, secret: key } },
    { name: 'as the name of a field', body: { ...wallet, [key]: 1 } },
    { name: 'as the name of a field, in base58', body: { ...wallet, [base58]: 1 } },
    {
      name: 'as the name of a field, the seed in base58',
      body: { ...wallet, [bs58.encode(pair.secretKey.slice(0, 32))]: 1 },
    },
    { name: 'as the name of a parameter', path: `${path}?${key}=1`, body: wallet },
    { name: 'for another address', body: { ...wallet, walletAddress: '11111111111111111111111111111111' } },
    { name: 'as malformed JSON', body: `{"walletAddress":"${walletAddress}","privateKey":"${key}` },
    { name: 'as text', body: JSON.stringify(wallet), headers: { 'Content-Type': 'text/plain' } },
    { name: 'as a bare text', body: JSON.stringify(key) },
    { name: 'in the query', path: `${path}?privateKey=${key}`, body: wallet },
    { name: 'in the path', path: `${path}/${key}`, body: {} },
    { name: 'as a user', path: `/api/users/${base58}/wallet`, method: 'GET' },
    { name: 'as a page', path: `/app/wallet/${key}`, method: 'GET' },
    { name: 'as the password', path: `${path}/reveal`, body: { password: key } },
    { name: 'beside the password', path: `${path}/reveal`, body: { password: PASSWORD, privateKey: key } },
    { name: 'as what to recover', path: `${path}/recover`, body: { password: PASSWORD, id: key } },
    { name: 'as a name to sign in with', path: '/api/auth/login', body: { username: key, password: base58 } },
    { name: 'as a name to register', path: '/api/auth/register', body: { username: base58, password: key } },
    { name: 'in settings', path: '/api/settings', method: 'PATCH', body: { walletAddress: key, privateKey: key } },
    { name: 'as a header', headers: { 'X-Private-Key': key }, body: {} },
    { name: 'as a cookie', headers: { Cookie: `mintwatch.sid=${key}` }, body: {} },
  ];
}

const ask = async ({
  method = 'POST',
  path: where = path,
  body,
  headers = {},
}: Omit<ReturnType<typeof careless>[0], 'name'>) =>
  rawRequest(server.url, {
    method,
    path: where,
    headers: { Cookie: cookie, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

test('no response and no log line repeats a key that was wrong, odd or in the wrong place [S3-19]', async () => {
  for (const { name, ...request } of careless()) {
    const { status, text, headers } = await ask(request);
    expect(findTraces(key, JSON.stringify(headers) + text), name).toEqual([]);
    if (!request.path?.startsWith('/app')) expect(status, name).toBeGreaterThanOrEqual(400);
  }
  expect(logged).toContain('/wallet');
  expect(logged).toContain('/api/users/***/wallet');
  expect(findTraces(key, logged)).toEqual([]);
});

test('nor does the socket, whatever is said to it [S3-19]', async () => {
  const socket = io(server.url, {
    transports: ['websocket'],
    forceNew: true,
    extraHeaders: { cookie },
    auth: { protocol: PROTOCOL_VERSION, epoch: key.slice(0, 64), seq: 1 },
  });
  const received: unknown[] = [];
  socket.onAny((...all: unknown[]) => received.push(all));
  await new Promise<void>((resolve) => socket.once('hello', () => resolve()));
  for (const topic of [`user:${key.slice(0, 64)}`, `token:${base58}`, key]) {
    received.push(await socket.emitWithAck('subscribe', { topic }));
  }
  received.push(await socket.emitWithAck('subscribe', { topic: 'tokens', privateKey: key }));
  received.push(await socket.emitWithAck('echo', { privateKey: key }));
  socket.close();
  expect(received.length).toBeGreaterThanOrEqual(5);
  expect(findTraces(key, JSON.stringify(received))).toEqual([]);
  expect(findTraces(key, logged)).toEqual([]);
});

test('saved and revealed as it should be, it is in the one response and in no log line [S3-19]', async () => {
  const saved = await ask({ body: { walletAddress, privateKey: key } });
  expect(saved.status).toBe(200);
  expect(findTraces(key, saved.text)).toEqual([]);
  const revealed = await ask({ path: `${path}/reveal`, body: { password: PASSWORD } });
  // Which also shows that a key would be found.
  expect(findTraces(key, revealed.text)).toEqual(['hex']);
  expect(findTraces(key, logged)).toEqual([]);
  expect(logged).not.toContain(PASSWORD);
});
