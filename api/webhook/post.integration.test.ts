import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPost, publicOnly } from './post.ts';

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

test('gives up a service that does not answer, a lookup that does not end, and a response without end', async () => {
  const late = { problem: 'The service did not answer in time.', isFinal: false };
  const silent = await service(() => undefined);
  expect(await createPost(loopback(), 50)(`http://hooks.example:${silent.port}/`, '{}', {})).toEqual(late);
  const stuck = { resolve: () => new Promise<string[]>(() => undefined), isAllowed: () => true };
  expect(await createPost(stuck, 50)('http://hooks.example/', '{}', {})).toEqual(late);
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
  const { problem } = await createPost(loopback())('http://hooks.example:9/', '{}', {});
  expect(problem).toBe('The service refused the connection.');
});
