import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, request as send } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createForwarding, trustProxies } from '../http/edge/forwarding.ts';
import { errorBody } from '../http/errors.ts';
import { requestLog } from '../http/request-log.ts';
import { testConnection } from '../testing/database.ts';
import { SECRET_HEADER } from './channel.ts';
import { createForward } from './forward.ts';

const log = pino({ level: 'silent' });
const connection = await testConnection();
const leases = connection.collection<{ _id: string; url: string | null; until: Date }>('leases');
const forwarding = createForwarding(['127.0.0.1']);

let isFollowing = true;

/** Starts a process that forwards, for the tests of this file. `silence`: time limit, ms. Resolves with its address. */
async function startFront(silence: number): Promise<string> {
  const times = { connect: 10_000, silence };
  const forward = createForward({ connection, secret: 'secret', forwarding, isFollowing: () => isFollowing, times });
  const app = new Koa();
  app.silent = true;
  app.use(trustProxies(app, forwarding));
  app.use(requestLog(log, forwarding.believes));
  app.use(errorBody(log));
  app.use(forward.middleware);
  app.use((ctx) => {
    ctx.body = 'served here';
  });
  const handle = app.callback();
  const front = createServer((request, response) => void handle(request, response));
  afterAll(forward.stop);
  return listening(front);
}

/** Listens for the tests of this file, and resolves with the address. */
async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server.address())}`;
}

const base = await startFront(60_000);
const impatient = await startFront(100);

/** What the holder does with a request. */
let respond: RequestListener = (_, response) => response.end();
const holderAt = await listening(createServer((request, response) => respond(request, response)));

function portOf(address: ReturnType<Server['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function setHolder(url: string | null, until = new Date(Date.now() + 60_000)): Promise<void> {
  await leases.updateOne({ _id: 'worker' }, { $set: { url, until } }, { upsert: true });
}

beforeEach(async () => {
  respond = (_, response) => response.end('{}');
  await setHolder(holderAt);
});

const FORWARDED = '/api/trading/orders';
const NO_WORKER = { status: 503, retryAfter: '5', code: 'no-worker' };

async function failure(at = base, init: RequestInit = {}) {
  const response = await fetch(at + FORWARDED, init);
  const { code } = (await response.json()) as { code: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), code };
}

test('passes a request on as it is, with the address and host of its client', async () => {
  let seen: IncomingMessage | undefined;
  let body: Promise<string> | undefined;
  respond = (request, response) => {
    seen = request;
    body = text(request);
    response.writeHead(409, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'], etag: '"e"' });
    response.end('{"code":"cooldown"}');
  };
  const response = await fetch(`${base}${FORWARDED}?x=%2F&y`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'session=1', 'x-forwarded-for': '203.0.113.9' },
    body: '{"a":1}',
  });
  expect([response.status, await response.text()]).toEqual([409, '{"code":"cooldown"}']);
  expect([response.headers.getSetCookie(), response.headers.get('etag')]).toEqual([['a=1', 'b=2'], '"e"']);
  expect([seen?.method, seen?.url, await body]).toEqual(['POST', `${FORWARDED}?x=%2F&y`, '{"a":1}']);
  expect(seen?.headers).toMatchObject({
    cookie: 'session=1',
    'content-type': 'application/json',
    [SECRET_HEADER]: 'secret',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': base.slice('http://'.length),
    'x-forwarded-proto': 'http',
    'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
  });
});

test('serves other requests itself, and replaces a secret that a client sends', async () => {
  expect(await (await fetch(`${base}/api/settings`)).text()).toBe('served here');
  let sent: unknown;
  respond = (request, response) => {
    sent = request.headers[SECRET_HEADER];
    response.end();
  };
  await fetch(base + FORWARDED, { headers: { [SECRET_HEADER]: 'guessed' } });
  expect(sent).toBe('secret');
});

test('serves a list itself while it follows the feed, and has the worker serve it meanwhile', async () => {
  respond = (_, response) => response.end('served there');
  const list = async () => (await fetch(`${base}/api/tokens`)).text();
  expect(await list()).toBe('served here');
  isFollowing = false;
  expect(await list()).toBe('served there');
  isFollowing = true;
});

test('has the worker serve reads of the market, and serves them itself without one', async () => {
  respond = (_, response) => response.end('served there');
  const detail = async () => (await fetch(`${base}/api/tokens/address/a`)).text();
  expect(await detail()).toBe('served there');
  await setHolder(null);
  await expect.poll(detail).toBe('served here');
});

test('streams the response while the worker still writes it', async () => {
  let finish = () => {};
  respond = (_, response) => {
    response.write('first');
    finish = () => response.end('last');
  };
  const response = await fetch(base + FORWARDED);
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
  finish();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('last');
});

test('without a holder, or with one that cannot be reached, a request fails at once and may be repeated', async () => {
  const closed = createTcpServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const port = portOf(closed.address());
  await new Promise((resolve) => closed.close(resolve));
  for (const [url, until] of [
    [`http://127.0.0.1:${port}`, undefined],
    [null, undefined],
    [holderAt, new Date(0)],
  ] as const) {
    await setHolder(url, until);
    // The first one reads the lease again, since the address it knows does not respond.
    await expect.poll(() => failure(base, { method: 'POST' })).toEqual(NO_WORKER);
  }
});

test('finds a new holder at once when the former one is gone', async () => {
  const former = createServer((_, response) => response.end('former'));
  await setHolder(await listening(former));
  await expect.poll(async () => (await fetch(base + FORWARDED)).text()).toBe('former');
  former.closeAllConnections();
  await new Promise((resolve) => former.close(resolve));
  await setHolder(holderAt);
  respond = (_, response) => response.end('successor');
  expect(await (await fetch(base + FORWARDED)).text()).toBe('successor');
});

test('a request that reached the worker is not repeated, whatever becomes of it', async () => {
  let requests = 0;
  for (const [at, fail] of [
    [base, (request: IncomingMessage) => request.socket.destroy()],
    [base, (request: IncomingMessage) => request.socket.end('garbage\r\n\r\n')],
    // Silent for longer than the time limit.
    [impatient, () => {}],
  ] as const) {
    requests = 0;
    respond = (request) => {
      requests += 1;
      fail(request);
    };
    expect(await failure(at, { method: 'POST', body: '{}' })).toEqual(NO_WORKER);
    expect(requests).toBe(1);
  }
});

test('a response that ends early cuts the connection of the client', async () => {
  respond = (request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setImmediate(() => request.socket.destroy());
  };
  await expect(fetch(base + FORWARDED).then((response) => response.text())).rejects.toThrow();
});

test('a client that leaves ends its request at the worker', async () => {
  let ended = Promise.resolve();
  const reached = new Promise<void>((resolve) => {
    respond = (_, response) => {
      ended = new Promise((end) => response.once('close', end));
      resolve();
    };
  });
  const leaving = send(base + FORWARDED);
  leaving.on('error', () => {});
  leaving.end();
  await reached;
  leaving.destroy();
  await ended;
});
