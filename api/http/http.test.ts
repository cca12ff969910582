import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net from 'node:net';
import Koa from 'koa';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import { createForwarding, type ReceivedRequest } from './edge/forwarding.ts';
import { createKnownHosts } from './edge/hosts.ts';
import { setHeaders } from './edge/security.ts';
import { toPublicError } from './errors.ts';
import { addressKey } from './limits/rate-limits.ts';
import { closeServer, createHttpServer, listen, type ServerLimits } from './listen.ts';
import { requestLog } from './request-log.ts';
import { validate } from './route.ts';

function detailsOf(schema: z.ZodType, input: unknown) {
  try {
    validate(schema, input);
  } catch (error) {
    if (error instanceof PublicError) return error.details;
  }
  throw new Error('it was accepted');
}

const schema = z.strictObject({
  name: z.string().min(2, 'too short'),
  inner: z.strictObject({ n: z.int() }).optional(),
});

test('an unknown field is named, also further in', () => {
  expect(detailsOf(schema, { name: 'ab', more: 1 })).toEqual({ more: ['is not known'] });
  expect(detailsOf(schema, { name: 'ab', inner: { n: 1, $gt: '' } })).toEqual({ 'inner.$gt': ['is not known'] });
});

test('a prototype key is refused, and named', () => {
  const poisoned = detailsOf(schema, JSON.parse('{"name":"ab","__proto__":{"x":1}}'));
  expect(Object.keys(poisoned ?? {})).toEqual(['__proto__']);
  expect(detailsOf(schema, { name: 'ab', constructor: 1 })).toHaveProperty('constructor');
});

test('an operator object in place of a string is refused, and the field named', () => {
  expect(detailsOf(schema, { name: { $gt: '' } })).toHaveProperty('name');
});

test('a thousand unknown fields make a short response', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`.repeat(50), 1]));
  expect(JSON.stringify(detailsOf(schema, many)).length).toBeLessThan(5000);
});

const throughProxies = (remoteAddress: string, headers: ReceivedRequest['headers']) => ({
  headers,
  socket: { remoteAddress },
});

test.each([
  ['without a proxy', '203.0.113.9', undefined, '203.0.113.9'],
  ['a claim of the client itself', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['through one proxy', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['through one proxy, with a claim before', '10.1.2.3', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['through two proxies', '::ffff:10.1.2.3', '198.51.100.1,203.0.113.9, 10.9.9.9', '203.0.113.9'],
  ['from one of our networks', '10.1.2.3', '10.4.4.4', '10.4.4.4'],
  ['a proxy that says nothing sensible', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
  ['an IPv6 proxy', 'fd00::7', '2001:db8::1', '2001:db8::1'],
  ['an IPv6 stranger', 'fe80::7%eth0', '2001:db8::1', 'fe80::7'],
])("the client's address %s", (_case, remoteAddress, forwarded, address) => {
  const { clientAddress } = createForwarding(['10.0.0.0/8', 'fd00::7']);
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  expect(clientAddress(throughProxies(remoteAddress, headers))).toBe(address);
});

test('the requested host is the one that our proxy forwarded, which is the last of several', () => {
  const { requestedHost } = createForwarding(['10.0.0.0/8']);
  const headers = { host: 'inside:3000', 'x-forwarded-host': 'mint.example' };
  expect(requestedHost(throughProxies('10.1.2.3', { ...headers }))).toBe('mint.example');
  const appended = { ...headers, 'x-forwarded-host': 'evil.example, mint.example' };
  expect(requestedHost(throughProxies('10.1.2.3', appended))).toBe('mint.example');
  expect(requestedHost(throughProxies('203.0.113.9', { ...headers }))).toBe('inside:3000');
});

test('reports the first address that forwards without being trusted, once', () => {
  const reported: string[] = [];
  const { clean } = createForwarding(['10.0.0.0/8'], (address) => reported.push(address));
  clean(throughProxies('10.1.2.3', { 'x-forwarded-for': '198.51.100.1' }));
  clean(throughProxies('203.0.113.8', {}));
  expect(reported).toEqual([]);
  clean(throughProxies('::ffff:203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }));
  clean(throughProxies('203.0.113.10', { 'x-forwarded-for': '198.51.100.1' }));
  expect(reported).toEqual(['203.0.113.9']);
});

test.each([
  ['127.0.0.1', ['127.0.0.1:3000', 'localhost:5173', 'LOCALHOST', 'mint.localhost', '127.9.9.9', '[::1]:3000', '']],
  ['127.0.0.1', ['mint.example', 'mint.example:8443', 'MINT.example.']],
  ['::1', ['[::1]', 'localhost']],
  ['fd00::7', ['[fd00::7]:3000', '[fd00:0:0::7]']],
  ['box.lan', ['box.lan:3000']],
  ['0.0.0.0', ['192.168.1.5:3000', '[fe80::1]', '10.0.0.1']],
  ['::', ['192.168.1.5:3000', '[fe80::1]']],
])('a server on %s with a public URL accepts the hosts %j', (host, accepted) => {
  const { accepts } = createKnownHosts({ host, publicUrl: 'https://mint.example' });
  expect(accepted.filter((name) => !accepts(name))).toEqual([]);
});

test.each(['127.0.0.1', '0.0.0.0', '::', 'fd00::7', 'box.lan'])('a server on %s refuses foreign hosts', (host) => {
  const { accepts } = createKnownHosts({ host, publicUrl: null });
  const foreign = [
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example@127.0.0.1',
    '127.0.0.1/..',
    'box.lan.',
    'a b',
    '[::1',
    '[zz]',
  ].filter((name) => name !== `${host}.`);
  expect(foreign.filter(accepts)).toEqual([]);
});

test('a server on one address refuses every other one', () => {
  const { accepts } = createKnownHosts({ host: '192.168.1.5', publicUrl: null });
  expect(['192.168.1.5', '192.168.1.6', '[fe80::1]', '0.0.0.0'].filter(accepts)).toEqual(['192.168.1.5']);
});

test('what a stranger says of being forwarded is dropped', () => {
  const request = throughProxies('203.0.113.9', { host: 'x', 'x-forwarded-proto': 'https', forwarded: 'for=1.1.1.1' });
  createForwarding(['127.0.0.0/8']).clean(request);
  expect(request.headers).toEqual({ host: 'x' });
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['not an address', 'not an address'],
])('the limits count %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

/** Serves `/<status>` with that status. Resolves with the lines of the log and the ids of the responses, a request for each status. */
async function logged(statuses: readonly number[], { sent = '', isProxy = false } = {}) {
  const lines: string[] = [];
  const app = new Koa();
  app.use(requestLog(pino({ level: 'info' }, { write: (line) => lines.push(line) }), () => isProxy));
  app.use(setHeaders({}));
  app.use((ctx) => {
    ctx.status = Number(ctx.path.slice(1));
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  const url = await listen(server, '127.0.0.1', 0);
  const ids: (string | null)[] = [];
  for (const status of statuses) {
    ids.push((await fetch(`${url}/${status}`, { headers: { 'x-request-id': sent } })).headers.get('x-request-id'));
  }
  await closeServer(server);
  return { lines: lines.map((line) => JSON.parse(line)), ids };
}

test('of failed requests, only those that the database being away does not explain are worth a warning', async () => {
  const { lines } = await logged([200, 404, 503, 500]);
  expect(lines.map(({ status }) => status)).toEqual([500]);
});

test('the response names the line of its request in the log, by the id that a proxy gave it', async () => {
  const own = await logged([500, 500], { sent: 'of-a-client' });
  expect(own.lines.map(({ requestId }) => requestId)).toEqual(own.ids);
  expect(new Set(own.ids).size).toBe(2);
  expect(own.ids).not.toContain('of-a-client');
  expect((await logged([500], { sent: 'of-the-proxy', isProxy: true })).ids).toEqual(['of-the-proxy']);
  expect((await logged([500], { sent: 'not an id', isProxy: true })).ids).not.toContain('not an id');
});

test('an unknown error says nothing about itself', () => {
  expect(toPublicError(new Error('mongodb://root:secret@db')).body()).toEqual({
    error: 'Something went wrong on our side. Please try again.',
    code: 'internal',
  });
});

const generous = {
  headersTimeout: 60_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 10,
  maxConnections: 10,
  connectionsPerAddress: 10,
};

/** Creates a server within these limits, which is closed after the test. */
function serverWith(limits: Partial<ServerLimits>, trusted: (address: string) => boolean = () => false): Server {
  const server = createHttpServer((_request, response) => response.end('response'), {
    isProxy: trusted,
    limits: { ...generous, ...limits },
  });
  onTestFinished(() => closeServer(server));
  return server;
}

async function connectTo(server: Server): Promise<net.Socket> {
  const { port } = new URL(await listen(server, '127.0.0.1', 0));
  const socket = net.connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

test('closes a connection whose request does not arrive in time', async () => {
  const slow = await connectTo(serverWith({ headersTimeout: 50 }));
  slow.write('GET / HTTP/1.1\r\nHost: ');
  slow.resume();
  await once(slow, 'close');
  expect(slow.bytesRead).toBe(0);
});

test('keeps an idle connection for longer than a proxy does', async () => {
  const server = createHttpServer((_request, response) => response.end(), { isProxy: () => false });
  const { headers } = await fetch(await listen(server, '127.0.0.1', 0));
  expect(headers.get('keep-alive')).toBe('timeout=75');
  await closeServer(server);
});

test('closes connections beyond the limit at once', async () => {
  const first = await connectTo(serverWith({ maxConnections: 1 }));
  const second = net.connect(first.remotePort ?? 0, '127.0.0.1');
  second.on('error', () => {});
  await once(second, 'close');
  expect(first.closed).toBe(false);
  first.destroy();
});

test('closes connections of an address beyond its share, but never those of a trusted proxy', async () => {
  const server = serverWith({ connectionsPerAddress: 2 }, createForwarding(['127.0.0.3']).isProxy);
  const { port } = new URL(await listen(server, '127.0.0.1', 0));
  /** Resolves with true once the connection has a response, with false when it is closed without one. */
  const isServed = (localAddress: string) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress });
      socket.on('error', () => {});
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      opened.push(socket);
    });
  const opened: net.Socket[] = [];
  const outcomes = async (address: string, count: number) => {
    const all = [];
    for (let number = 0; number < count; number += 1) all.push(await isServed(address));
    return all;
  };
  expect(await outcomes('127.0.0.1', 3)).toEqual([true, true, false]);
  expect(await outcomes('127.0.0.2', 3)).toEqual([true, true, false]);
  expect(await outcomes('127.0.0.3', 4)).toEqual([true, true, true, true]);
  opened[0]?.destroy();
  await expect.poll(() => isServed('127.0.0.1')).toBe(true);
  for (const socket of opened) socket.destroy();
});
