import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPost, createResolve, publicOnly } from './post.ts';

/** Starts a service on loopback. Returns its port and the bodies that it received. */
async function service(respond: RequestListener) {
  const received: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      received.push({ request, body });
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, received };
}

/** Resolves every name to loopback, which is allowed. */
function loopback() {
  const names: string[] = [];
  const resolve = async (name: string) => {
    names.push(name);
    return ['127.0.0.1'];
  };
  return { names, resolve, isAllowed: () => true };
}

const NO_SUCH_NAME = 3;
const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };

/** Starts a name server on loopback. Returns the lookup by it. `records`: bytes of the addresses; null: it never responds. */
async function nameServer(records: Partial<Record<'A' | 'AAAA', Buffer>> | null) {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (query, { port, address }) => {
    queries += 1;
    if (records === null) return;
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = question.readUInt16BE(question.length - 4);
    const data = records[TYPES[type] ?? 'A'];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (data === undefined ? NO_SUCH_NAME : 0), 2);
    for (const [at, count] of [1, data === undefined ? 0 : 1, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * at);
    // The name of the question, type, class 1, 60 s, length.
    const answer = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, data?.length ?? 0]);
    socket.send(Buffer.concat([header, question, ...(data === undefined ? [] : [answer, data])]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return { resolve: createResolve([`127.0.0.1:${socket.address().port}`]), queries: () => queries };
}

const signal = () => new AbortController().signal;

test('looks a name up in both families, IPv4 first', async () => {
  const v4 = Buffer.from([93, 184, 216, 34]);
  const v6 = Buffer.from('20010db8000000000000000000000001', 'hex');
  const both = await nameServer({ A: v4, AAAA: v6 });
  expect(await both.resolve('hooks.example', signal())).toEqual(['93.184.216.34', '2001:db8::1']);
  const one = await nameServer({ AAAA: v6 });
  expect(await one.resolve('hooks.example', signal())).toEqual(['2001:db8::1']);
});

test('names an unknown name', async () => {
  const { resolve } = await nameServer({});
  const { problem } = await createPost({ ...publicOnly, resolve })('http://hooks.example/', '{}', {});
  expect(problem).toBe('The name of the address is unknown.');
});

test('asks no name server for a name below `invalid`', async () => {
  const { resolve, queries } = await nameServer({ A: Buffer.from([127, 0, 0, 1]) });
  const { problem } = await createPost({ ...publicOnly, resolve })('https://hooks.Invalid./', '{}', {});
  expect([problem, queries()]).toEqual(['The name of the address is unknown.', 0]);
});

test('gives up name servers that do not respond, and delays no other lookup meanwhile', async () => {
  const { resolve, queries } = await nameServer(null);
  let ended = 0;
  const posts = Array.from({ length: 8 }, async () => {
    const result = await createPost({ ...publicOnly, resolve }, 1_000)('http://hooks.example/', '{}', {});
    ended += 1;
    return result;
  });
  await expect.poll(queries).toBeGreaterThanOrEqual(8);
  await lookup('localhost');
  expect(ended).toBe(0);
  const late = { problem: 'The service did not answer in time.', isFinal: false };
  expect(await Promise.all(posts)).toEqual(posts.map(() => late));
});

test('refuses a port of another protocol', async () => {
  const { problem, isFinal } = await createPost(loopback())('http://hooks.example:25/', '{}', {});
  expect({ problem, isFinal }).toEqual({ problem: 'The port of the address is not allowed.', isFinal: true });
});

test('resolves a name once and posts to that address, with the name as host', async () => {
  const { port, received } = await service((_request, response) => response.end('ok'));
  const { names, ...resolving } = loopback();
  const result = await createPost(resolving)(`http://hooks.example:${port}/a?b=c`, '{"x":1}', { 'X-Test': 'yes' });
  expect(result).toEqual({ problem: null, isFinal: true });
  expect(names).toEqual(['hooks.example']);
  expect(received).toMatchObject([{ body: '{"x":1}', request: { method: 'POST', url: '/a?b=c' } }]);
  expect(received[0]?.request.headers).toMatchObject({
    ...{ host: `hooks.example:${port}`, 'content-type': 'application/json', 'x-test': 'yes' },
  });
});

test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0.0.0.0'])(
  'never connects to %s by default',
  async (host) => {
    const { port, received } = await service((_request, response) => response.end('ok'));
    const { problem, isFinal } = await createPost()(`http://${host}:${port}/`, '{}', {});
    expect({ problem, isFinal }).toEqual({ problem: 'The address is not on the public internet.', isFinal: true });
    expect(received).toEqual([]);
  },
);

test('a name with a private address among its addresses is refused', async () => {
  const { port, received } = await service((_request, response) => response.end('ok'));
  const resolve = async () => ['93.184.216.34', '127.0.0.1'];
  const { problem } = await createPost({ ...publicOnly, resolve })(`http://hooks.example:${port}/`, '{}', {});
  expect(problem).toBe('The address is not on the public internet.');
  expect(received).toEqual([]);
});

test.each([
  [302, 'The service answered 302: redirects are not followed.', true],
  [404, 'The service answered 404.', true],
  [429, 'The service answered 429.', false],
  [503, 'The service answered 503.', false],
])('status %i is a failure', async (status, problem, isFinal) => {
  const { port, received } = await service((_request, response) =>
    response.writeHead(status, { Location: '/elsewhere' }).end(),
  );
  expect(await createPost(loopback())(`http://hooks.example:${port}/`, '{}', {})).toEqual({ problem, isFinal });
  expect(received).toHaveLength(1);
});

test('gives up a service that does not answer, and a response without end', async () => {
  const late = { problem: 'The service did not answer in time.', isFinal: false };
  const silent = await service(() => undefined);
  expect(await createPost(loopback(), 50)(`http://hooks.example:${silent.port}/`, '{}', {})).toEqual(late);
  const endless = await service((_request, response) => {
    const write = () => void response.write('x'.repeat(65_536), () => response.destroyed || setImmediate(write));
    response.writeHead(200);
    write();
  });
  expect(await createPost(loopback())(`http://hooks.example:${endless.port}/`, '{}', {})).toEqual({
    ...{ problem: null, isFinal: true },
  });
});

test('names a refused connection', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { problem } = await createPost(loopback())(`http://hooks.example:${port}/`, '{}', {});
  expect(problem).toBe('The service refused the connection.');
});
