import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Koa from 'koa';
import { Types } from 'mongoose';
import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorBody } from './errors.ts';
import { createJsonText, sendJson } from './json-text.ts';
import { createMemoryLimiter } from './limits/rate-limits.ts';
import { createReadCount, limitReads } from './limits/read-limits.ts';
import { createSlowRefusals } from './limits/slow-refusals.ts';
import { requestLog } from './request-log.ts';
import { sharedReads } from './shared-reads.ts';

const user = { _id: new Types.ObjectId(), username: 'reader', isAdmin: false };
const session = { userId: user._id.toHexString(), since: 1 };
const cookie = 'mintwatch.sid=signed';
const tokens = Array.from({ length: 200 }, (_, index) => ({ address: `token ${index}` }));

/** Listeners of the database's loss. */
const lost = new Set<() => void>();
function onLost(listener: () => void) {
  lost.add(listener);
  return () => void lost.delete(listener);
}

interface State {
  isCurrent: boolean;
  /** The session while it needs no read. */
  known: typeof session | null;
  /** Reads the session. */
  read(): Promise<typeof session | null>;
  isActive: boolean;
  isReachable: boolean;
  isOwnHost: boolean;
}

/** A route behind the middleware, whose session is valid and whose response is shared. */
function setUp({ tries = 1_000 } = {}) {
  const state: State = {
    ...{ isCurrent: true, known: session, read: async () => session },
    ...{ isActive: true, isReachable: true, isOwnHost: true },
  };
  const route = vi.fn(async (ctx: Koa.Context) => {
    const json = createJsonText(tokens);
    ctx.state.share?.({ json, headers: { 'X-Position': '7' }, isCurrent: () => state.isCurrent });
    await sendJson(ctx, json);
  });
  const app = new Koa();
  app.silent = true;
  const log = pino({ level: 'silent' });
  app.use(requestLog(log, () => false));
  const findCaller = () => (state.isActive ? user : null);
  const reads = createMemoryLimiter({ tries, seconds: 60 });
  app.use(
    sharedReads({
      headers: { 'X-Frame-Options': 'SAMEORIGIN' },
      isOwnHost: () => state.isOwnHost,
      database: { isReachable: () => state.isReachable, onLost },
      peekSession: { get: () => state.read(), known: () => state.known },
      findCaller: { get: async () => findCaller(), known: findCaller },
      reads,
    }),
  );
  app.use(errorBody(log));
  app.use((ctx, next) => {
    Object.assign(ctx, { session: { externalKey: 'session id', userId: session.userId } });
    return next();
  });
  app.use(
    limitReads(
      createReadCount(
        reads,
        createSlowRefusals(async () => {}),
      ),
    ),
  );
  app.use(route);
  return { state, route, app };
}

const servers: { close(): void }[] = [];
beforeEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(app: Koa): Promise<string> {
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/api/tokens`);
    });
    servers.push(server);
  });
}

const read = (url: string, headers: Record<string, string> = { cookie }) => fetch(url, { headers });

test('a repeated read gets the same response without the route', async () => {
  const { route, app } = setUp();
  const url = await listen(app);
  const first = await read(url);
  const second = await read(url);
  expect(route).toHaveBeenCalledTimes(1);
  expect(await second.json()).toEqual(await first.json());
  expect(second.headers.get('X-Position')).toBe('7');
  expect(second.headers.get('X-Frame-Options')).toBe('SAMEORIGIN');
  const unchanged = await read(url, { cookie, 'if-none-match': second.headers.get('ETag') ?? '' });
  expect([unchanged.status, route.mock.calls.length]).toEqual([304, 1]);
});

test.each<[string, (state: State) => void]>([
  ['the response is outdated', (state) => Object.assign(state, { isCurrent: false })],
  ['the database is away', (state) => Object.assign(state, { isReachable: false })],
  ['the session has ended', (state) => Object.assign(state, { known: null, read: async () => null })],
  ['the session cannot be read', (state) => Object.assign(state, { known: null, read: async () => Promise.reject() })],
  ['the host is not ours', (state) => Object.assign(state, { isOwnHost: false })],
  ['the user is no longer active', (state) => Object.assign(state, { isActive: false })],
])('the route decides again when %s', async (_name, change) => {
  const { state, route, app } = setUp();
  const url = await listen(app);
  await read(url);
  change(state);
  await read(url);
  expect(route).toHaveBeenCalledTimes(2);
});

test('another cookie, another URL and another method go to the route', async () => {
  const { route, app } = setUp();
  const url = await listen(app);
  await read(url);
  await read(url, { cookie: 'mintwatch.sid=forged' });
  await read(url, {});
  await read(`${url}?limit=1`);
  await fetch(url, { method: 'POST', headers: { cookie } });
  expect(route).toHaveBeenCalledTimes(5);
});

test('a session is read once it is no longer known', async () => {
  const { state, route, app } = setUp();
  const url = await listen(app);
  await read(url);
  state.known = null;
  expect((await read(url)).status).toBe(200);
  expect(route).toHaveBeenCalledTimes(1);
});

test('a read of the session that hangs is left to the route when the database is lost', async () => {
  const { state, route, app } = setUp();
  const url = await listen(app);
  await read(url);
  state.known = null;
  state.read = () => new Promise(() => {});
  const hanging = read(url);
  await vi.waitFor(() => expect(lost.size).toBe(1));
  for (const end of lost) end();
  expect((await hanging).status).toBe(200);
  expect([route.mock.calls.length, lost.size]).toEqual([2, 0]);
});

test('a response that changes during the check is not sent', async () => {
  const { state, route, app } = setUp();
  const url = await listen(app);
  await read(url);
  state.known = null;
  state.read = async () => {
    state.isCurrent = false;
    return session;
  };
  await read(url);
  expect(route).toHaveBeenCalledTimes(2);
});

test('shared reads are counted as well', async () => {
  const { app } = setUp({ tries: 2 });
  const url = await listen(app);
  await read(url);
  expect((await read(url)).status).toBe(200);
  expect((await read(url)).status).toBe(429);
});

test('a body is compressed once for all clients, as each accepts it', async () => {
  const { app } = setUp();
  const url = await listen(app);
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const json = createJsonText(tokens);
    expect(await json.compressed?.(encoding)).toBe(await json.compressed?.(encoding));
    expect(JSON.parse(decompress((await json.compressed?.(encoding)) ?? '').toString())).toEqual(tokens);
    const response = await read(url, { cookie, 'accept-encoding': encoding });
    expect(response.headers.get('Content-Encoding')).toBe(encoding);
    expect(await response.json()).toEqual(tokens);
  }
  const browser = await read(url, { cookie, 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect(browser.headers.get('Content-Encoding')).toBe('br');
  const plain = await read(url, { cookie, 'accept-encoding': 'identity' });
  expect(plain.headers.get('Content-Encoding')).toBeNull();
  expect(await plain.json()).toEqual(tokens);
});
