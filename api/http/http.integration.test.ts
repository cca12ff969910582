import { mkdir, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyCall } from '../../common/calls.ts';
import { startTestServer } from '../test-server.ts';
import { testFolder } from '../testing/folder.ts';
import { rawRequest } from '../testing/raw.ts';
import { PASSWORD, type TestServer } from '../testing/server.ts';
import { addressNumber } from '../testing/tokens.ts';
import { BODY_LIMIT } from './body.ts';

const APP = '<!doctype html><title>the app</title>';
const FRONT = '<!doctype html><title>the front page</title>';
let server: TestServer;
const webRoot = await testFolder('web');

beforeAll(async () => {
  await mkdir(path.join(webRoot, 'assets'));
  await writeFile(path.join(webRoot, 'index.html'), APP);
  await writeFile(path.join(webRoot, 'front.html'), FRONT);
  await writeFile(path.join(webRoot, 'assets', 'main-1a2b3c.js'), 'console.log(1);'.repeat(200));
  await writeFile(path.join(webRoot, 'assets', 'ready-1a2b3c.js'), 'console.log(2);');
  await writeFile(path.join(webRoot, 'assets', 'ready-1a2b3c.js.br'), 'not its script');
  await writeFile(path.join(webRoot, 'icon.svg'), '<svg/>');
  await writeFile(path.join(webRoot, '..', `${path.basename(webRoot)}.secret`), 'outside');
  server = await startTestServer({ webRoot });
});
afterAll(async () => {
  await server.stop();
  await rm(`${webRoot}.secret`, { force: true });
});

const post = (headers: Record<string, string>, body: string | Buffer, route = '/api/auth/login') =>
  rawRequest(server.url, { method: 'POST', path: route, headers, body });
const JSON_TYPE = { 'Content-Type': 'application/json' };
const credentials = JSON.stringify({ username: 'Somebody', password: PASSWORD });

test.each(everyCall())('every declared call has a route: $name', async ({ call }) => {
  const route = call.path.replace('{address}', addressNumber(1));
  const reply = await rawRequest(server.url, { method: call.method, path: route });
  expect(reply.text).not.toContain('"not-found"');
  expect(reply.text).not.toContain('"method-not-allowed"');
});

describe('what can be wrong with a body', () => {
  test.each(['{', '{"username":', 'nonsense', '{"a":1}x', '\u0000'])('malformed JSON is 400: %j', async (body) => {
    const reply = await post(JSON_TYPE, body);
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      400,
      { error: 'The request body is not valid JSON.', code: 'malformed-json' },
    ]);
  });

  test('a body of 64 kB is read, one byte more is 413', async () => {
    const padded = (length: number) => credentials + ' '.repeat(length - credentials.length);
    expect((await post(JSON_TYPE, padded(BODY_LIMIT))).status).toBe(401);
    const reply = await post(JSON_TYPE, padded(BODY_LIMIT + 1));
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([413, 'body-too-large']);
  });

  test('a body without a length is counted while it comes', async () => {
    const reply = await post({ ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, ' '.repeat(BODY_LIMIT * 3));
    expect(reply.status).toBe(413);
  });

  test.each([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'multipart/form-data; boundary=x' },
    { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    {},
  ])('%j is 415', async (headers) => {
    const reply = await post(headers, credentials);
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([415, 'unsupported-media-type']);
  });

  test.each(['"text"', '5', 'null', 'true', '[]', '[{"username":"Somebody"}]'])('%s is no object', async (body) => {
    const reply = await post(JSON_TYPE, body);
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([400, 'invalid-input']);
  });

  test.each([
    ['{"username":{"$gt":""},"password":{"$gt":""}}', ['username', 'password']],
    [`{"username":"Somebody","password":"${PASSWORD}","isAdmin":true}`, ['isAdmin']],
    [`{"username":["Somebody"],"password":"${PASSWORD}"}`, ['username']],
    [`{"username":"Some\\u0000body","password":"${PASSWORD}"}`, ['username']],
    ['{}', ['username', 'password']],
  ])('%s is refused by name', async (body, fields) => {
    const reply = await post(JSON_TYPE, body, '/api/auth/register');
    expect(reply.status).toBe(400);
    expect(Object.keys(JSON.parse(reply.text).details)).toEqual(fields);
  });

  test.each([
    `{"username":"Somebody","password":"${PASSWORD}","__proto__":{"isAdmin":true}}`,
    `{"username":"Somebody","password":"${PASSWORD}","constructor":{"prototype":{"isAdmin":true}}}`,
  ])('prototype keys are refused: %s', async (body) => {
    const reply = await post(JSON_TYPE, body, '/api/auth/register');
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([400, 'invalid-input']);
    expect(Object.prototype).not.toHaveProperty('isAdmin');
  });

  test('a body where none belongs is noticed', async () => {
    const reply = await rawRequest(server.url, {
      path: '/api/health',
      headers: JSON_TYPE,
      body: '{"a":1}',
    });
    expect([reply.status, JSON.parse(reply.text).details]).toEqual([400, { a: ['is not known'] }]);
  });
});

test('an unsupported Expect header gets the one error body', async () => {
  const reply = await rawRequest(server.url, { path: '/api/health', headers: { Expect: 'banana' } });
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    417,
    { error: 'The server cannot do what the Expect header asks for.', code: 'expectation-failed' },
  ]);
  expect((await post({ ...JSON_TYPE, Expect: '100-continue' }, credentials)).status).toBe(401);
});

test('a request that is not HTTP, or has endless headers, gets the one error body', async () => {
  const [none, endless] = [
    await spoken('NONSENSE\r\n\r\n'),
    await spoken(`GET /api/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
  ];
  for (const reply of [none, endless]) {
    const [head, body] = reply.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(body ?? '')).toMatchObject({ code: 'invalid-input' });
  }
});

/** What the server says to these bytes before it hangs up. */
async function spoken(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  socket.end(bytes);
  let reply = '';
  for await (const chunk of socket) reply += String(chunk);
  return reply;
}

describe('where a request comes from', () => {
  const host = () => new URL(server.url).host;

  test.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'rubbish' },
    { Origin: 'http://127.0.0.1:1' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ])('a state-changing request with %j is refused', async (headers) => {
    for (const route of ['/api/auth/login', '/api/auth/logout', '/api/nowhere']) {
      const reply = await post({ ...JSON_TYPE, ...headers }, '{}', route);
      expect([reply.status, JSON.parse(reply.text)]).toEqual([
        403,
        { error: 'Requests from another site are not accepted.', code: 'foreign-origin' },
      ]);
    }
  });

  test('the own origin and programs without one are let in', async () => {
    expect((await post({ ...JSON_TYPE, Origin: `http://${host()}` }, credentials)).status).toBe(401);
    expect((await post(JSON_TYPE, credentials)).status).toBe(401);
    expect(
      (await rawRequest(server.url, { path: '/api/health', headers: { Origin: 'https://evil.example' } })).status,
    ).toBe(200);
  });

  test('no response allows another origin to read it', async () => {
    const reply = await rawRequest(server.url, { path: '/api/health', headers: { Origin: 'https://evil.example' } });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('addresses', () => {
  test.each(['/api', '/api/', '/api/nowhere', '/api/tokens/', '/API/tokens/nowhere', '/api/tokens/address/'])(
    '%s is no call',
    async (route) => {
      const reply = await rawRequest(server.url, { path: route, headers: { Accept: 'application/json' } });
      expect([reply.status, JSON.parse(reply.text)]).toEqual([
        404,
        { error: 'There is nothing at this address.', code: 'not-found' },
      ]);
    },
  );

  test.each(['DELETE', 'PUT', 'OPTIONS', 'POST', 'PATCH'])(
    '%s of a list is 405 and names the allowed methods',
    async (method) => {
      const reply = await rawRequest(server.url, { method, path: '/api/tokens' });
      expect([reply.status, JSON.parse(reply.text).code]).toEqual([405, 'method-not-allowed']);
      expect(reply.headers.allow).toMatch(/\bGET\b/);
    },
  );
});

describe('the client', () => {
  const get = (route: string, headers = {}) => rawRequest(server.url, { path: route, headers });

  const appPages = ['/app', '/app/tokens/xyz', '/app/tokens/a.b', '/auth', '/direct-admin', '/tokens/a', '/wallet'];
  const others = ['/', '/somewhere/else', '/application', '/tokens/a/b', '/hello.world', '/%', '/%E0%A4%A', '/a%00b'];

  test.each([
    ...appPages.map((route) => [route, APP]),
    ...[...others, '/API', '/favicon.ico'].map((route) => [route, FRONT]),
  ])('%j serves %s, revalidated each time [S2.1-10]', async (route, page) => {
    const reply = await get(route ?? '', { Accept: 'text/html' });
    expect([reply.status, reply.text, reply.headers['cache-control']]).toEqual([200, page, 'no-cache']);
    expect(reply.headers['content-type']).toContain('text/html');
    const again = await get(route ?? '', { Accept: 'text/html', 'If-None-Match': reply.headers.etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('files with a hash in their name are kept for ever, and compressed', async () => {
    const reply = await get('/assets/main-1a2b3c.js', { 'Accept-Encoding': 'gzip' });
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.headers['content-encoding']).toBe('gzip');
    expect((await get('/icon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('a file that the build has compressed is sent as it is, as a script and kept for ever', async () => {
    const reply = await get('/assets/ready-1a2b3c.js', { 'Accept-Encoding': 'gzip, br' });
    expect([reply.status, reply.text]).toEqual([200, 'not its script']);
    expect(reply.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await get('/assets/ready-1a2b3c.js', { 'Accept-Encoding': 'gzip' })).text).toBe('console.log(2);');
  });

  test.each(['/assets/gone-000000.js', '/favicon.ico', '/app/tokens/x.map'])(
    'the missing file %s is missing',
    async (route) => {
      expect((await get(route)).status).toBe(404);
      expect((await get(route, { Accept: 'image/webp,*/*;q=0.8' })).status).toBe(404);
    },
  );

  test('a missing asset is missing in the address bar as well, and no call is a page', async () => {
    for (const route of ['/assets/gone-000000.js', '/assets/a%00b', '/api', '/api/nowhere.html']) {
      const reply = await get(route, { Accept: 'text/html' });
      expect([route, reply.status, JSON.parse(reply.text).code]).toEqual([route, 404, 'not-found']);
    }
  });

  test.each([
    '/../%s.secret',
    '/..%%2f%s.secret',
    '/%%2e%%2e/%s.secret',
    '/assets/..%%2f..%%2f%s.secret',
    '/%%00',
    '/%%E0%%A4%%A',
  ])('nothing outside is served: %s', async (template) => {
    const route = template.replace('%s', path.basename(webRoot)).replaceAll('%%', '%');
    const reply = await get(route);
    expect(reply.text).not.toContain('outside');
    expect([400, 403, 404]).toContain(reply.status);
    expect(JSON.parse(reply.text)).toHaveProperty('code');
  });
});

test('security headers are on every response', async () => {
  for (const route of ['/', '/api/health', '/api/nowhere', '/assets/main-1a2b3c.js']) {
    const { headers } = await rawRequest(server.url, { path: route });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-eval');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(String(headers['permissions-policy'])).toContain('camera=()');
    expect(headers['strict-transport-security']).toBeUndefined();
  }
  for (const route of ['/socket.io/?EIO=4&transport=polling', '/socket.io/?EIO=3&transport=nonsense']) {
    const { headers } = await rawRequest(server.url, { path: route });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

test('a list from memory has the headers of the one before, and loses no check', async () => {
  const cookie = await server.register('Sharing');
  const list = (headers: Record<string, string> = {}) =>
    rawRequest(server.url, { path: '/api/tokens?limit=3', headers: { Cookie: cookie, ...headers } });
  const [first, second] = [await list(), await list()];
  expect([second.status, second.text]).toEqual([200, first.text]);
  const common = ({ date: _date, 'x-request-id': id, ...headers }: typeof first.headers) => ({
    ...headers,
    hasId: id !== undefined,
  });
  expect(common(second.headers)).toEqual(common(first.headers));
  const unchanged = await list({ 'If-None-Match': first.headers.etag ?? '' });
  const { 'content-type': _type, 'content-length': _length, ...kept } = common(first.headers);
  expect([unchanged.status, common(unchanged.headers)]).toEqual([304, kept]);
  const foreign = await list({ Host: 'evil.example' });
  expect([foreign.status, JSON.parse(foreign.text).code]).toEqual([421, 'unknown-host']);
  expect(foreign.headers['x-content-type-options']).toBe('nosniff');
  expect(
    (await rawRequest(server.url, { method: 'POST', path: '/api/auth/logout', headers: { Cookie: cookie } })).status,
  ).toBeLessThan(300);
  expect((await list()).status).toBe(401);
});

test('every error has the one body: a text for the user, a code, and fields where that helps [S8.1-01]', async () => {
  const replies = await Promise.all([
    server.fetchJson('/api/tokens'),
    server.fetchJson('/api/nowhere'),
    server.fetchJson('/api/tokens', { method: 'DELETE' }),
    server.fetchJson('/api/auth/login', { method: 'POST', json: {} }),
  ]);
  for (const { body, headers } of replies) {
    expect(body).toEqual(
      expect.objectContaining({ error: expect.stringMatching(/^[A-Z].*\.$/), code: expect.any(String) }),
    );
    expect(headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(headers.get('Cache-Control')).toBe('no-store');
  }
});
