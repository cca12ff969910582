import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { tokenSchema, tokenStatsSchema } from '../../common/tokens/model.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { noLimits, startTestServer, type TestServer } from '../testing/server.ts';
import { addressNumber, sampleRecord, tokenRecord, tradeRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';

const { path: PATH, output } = maintenanceCalls.cleanupMockTokens;
const KEY = 'a-key-of-24-characters-or-more';

let server: TestServer;
afterEach(() => server.stop());

const cleanUp = (who: Person) => who.call(PATH, { method: 'POST' });

describe('who may', () => {
  test('administrators, and nobody else [S7.3-01]', async () => {
    server = await startTestServer();
    const [user, admin] = [await person(server, 'User'), await person(server, 'Root', { isAdmin: true })];
    expect(await server.fetchJson(PATH, { method: 'POST' })).toMatchObject({ status: 401 });
    expect(await cleanUp(user)).toMatchObject({
      status: 403,
      body: { error: "You don't have permission to access this resource", code: 'forbidden' },
    });
    const { status, body } = await cleanUp(admin);
    expect([status, output.parse(body)]).toEqual([200, { message: 'Successfully cleaned up 0 mock tokens', count: 0 }]);
    expect(await admin.call(PATH, { method: 'POST', json: { all: true } })).toMatchObject({ status: 400 });
  });

  const withKey = (key: string, cookie?: string) =>
    server.fetchJson(PATH, {
      method: 'POST',
      headers: { [ADMIN_KEY_HEADER]: key },
      ...(cookie === undefined ? {} : { cookie }),
    });

  test('whoever sends the direct admin key, which opens nothing else [S7.3-01]', async () => {
    server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY } });
    expect(await withKey(KEY)).toMatchObject({ status: 200, body: { count: 0 } });
    const wrong = { status: 403, body: { code: 'forbidden', error: 'This is not the admin key.' } };
    for (const key of [`${KEY}x`, KEY.slice(1), KEY.toUpperCase(), 'x'])
      expect(await withKey(key)).toMatchObject(wrong);
    expect(await server.fetchJson(PATH, { method: 'POST' })).toMatchObject({ status: 401 });
    const { cookie } = await person(server, 'User');
    expect(await withKey(KEY, cookie)).toMatchObject({ status: 200 });
    const headers = { [ADMIN_KEY_HEADER]: KEY };
    expect(await server.fetchJson('/api/auto-buy-rules', { headers })).toMatchObject({ status: 401 });
    const admin = await person(server, 'Root', { isAdmin: true });
    expect(await withKey('x', admin.cookie)).toMatchObject({ status: 200 });
  });

  const onRecord = () =>
    server.connection
      .collection('audit')
      .find({ action: /^admin-key/ })
      .sort({ _id: 1 })
      .toArray();

  test('without a configured key none is accepted [S7.3-01, S6-09]', async () => {
    server = await startTestServer();
    for (const key of [KEY, 'null', 'undefined']) {
      expect(await withKey(key)).toMatchObject({ status: 403, body: { error: 'Direct access is switched off.' } });
    }
    expect(await onRecord()).toEqual([]);
  });

  test('each use of the key is on record, right or wrong and never the key itself; what is over the limit is not [S7.3-01, S6-10]', async () => {
    const limits = { ...noLimits, adminKeyPerAddress: { tries: 2, seconds: 60 } };
    server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY }, limits });
    for (const key of [KEY, 'wrong', KEY, 'wrong', 'wrong', 'wrong']) await withKey(key);
    const records = await onRecord();
    const [used, refused] = ['admin-key-used', 'admin-key-refused'];
    expect(records.map(({ action }) => action)).toEqual([used, refused, used, refused, refused]);
    for (const { _id, at, action, ...record } of records) {
      expect(at).toBeInstanceOf(Date);
      expect(record).toEqual({
        actorId: null,
        actorName: 'direct-admin-key',
        subjectId: null,
        object: PATH,
        address: '127.0.0.1',
      });
    }
  });

  test('wrong keys are limited by address; a right one in between starts the count anew [S7.3-01, S6-10]', async () => {
    const limits = { ...noLimits, adminKeyPerAddress: { tries: 3, seconds: 60 } };
    server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY }, limits });
    for (const key of ['wrong', 'wrong', KEY]) await withKey(key);
    const replies = [];
    for (let tries = 0; tries < 4; tries += 1) replies.push(await withKey('wrong'));
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 429]);
    expect(await withKey(KEY)).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
    expect(replies[3]?.headers.get('Retry-After')).toMatch(/^\d+$/);
  });
});

/** Everything a client hears of tokens. */
async function feedOf(who: Person) {
  const socket = await socketOf(server, who);
  const heard: { event: string; text: string }[] = [];
  socket.onAny((event: string, payload: unknown) => heard.push({ event, text: JSON.stringify(payload) }));
  return { heard, removals: () => heard.filter(({ event }) => event === 'tokens-removed') };
}

const addressesIn = (body: unknown) =>
  tokenSchema
    .array()
    .parse(body)
    .map(({ address }) => address);

/** What a call answers; asked again while the simulator's history keeps the database too busy to answer (503). */
async function bodyOf(who: Person, path: string): Promise<unknown> {
  let reply = await who.call(path);
  await expect
    .poll(
      async () => {
        if (reply.status === 503) reply = await who.call(path);
        return reply.status;
      },
      { timeout: 15_000 },
    )
    .toBe(200);
  return reply.body;
}
const statsOf = async (who: Person) => tokenStatsSchema.parse(await bodyOf(who, '/api/tokens/stats'));

async function lists(who: Person): Promise<string[]> {
  const paths = [
    'tokens?limit=500',
    'tokens/new?limit=500',
    'tokens/potential-runners',
    'tokens/might-run',
    'tokens/early-liquidity',
  ];
  const found: string[] = [];
  // One after the other: a busy machine may find the database too slow for all at once.
  for (const path of paths) found.push(...addressesIn(await bodyOf(who, `/api/${path}`)));
  return found;
}

test('with a running simulated market: what was removed never comes back, and new launches go on [S7.3-02]', async () => {
  // Signed in before the market begins: its history may keep the database busy at first.
  const SESSION_KEYS = 'a session key for both servers';
  server = await startTestServer({ env: { SESSION_KEYS } });
  const { mongoUri } = server;
  const { id, cookie } = await person(server, 'Root', { isAdmin: true });
  await server.stop();
  const market = { MARKET: 'simulator', MARKET_RATE: '600', MARKET_SEED: '7' };
  server = await startTestServer({ mongoUri, env: { SESSION_KEYS, ...market } });
  const admin: Person = { id, cookie, call: (path, options) => server.fetchJson(path, { ...options, cookie }) };
  const { tokens, trades, samples } = tokenModels(server.connection);
  const real = addressNumber(1);
  await tokens.create(tokenRecord(1));
  await trades.create(tradeRecord(real, 1, new Date()));
  await samples.create(sampleRecord(real, 'minute', new Date()));
  await expect.poll(async () => (await statsOf(admin)).total, { timeout: 30_000 }).toBeGreaterThan(300);
  const client = await feedOf(admin);
  // So that the lists are in the cache, and the next answer would come from there.
  const before = new Set(await lists(admin));

  const { status, body } = await cleanUp(admin);
  const [after, stats] = [await lists(admin), await statsOf(admin)];
  expect(status).toBe(200);
  const { count, message } = output.parse(body);
  expect(message).toBe(`Successfully cleaned up ${count} mock tokens`);
  await expect.poll(() => client.removals().length).toBeGreaterThan(0);
  const removal = z.object({ addresses: z.array(z.string()) });
  const removed = client.removals().flatMap(({ text }) => removal.parse(JSON.parse(text)).addresses);
  expect(removed.length).toBe(count);
  expect(new Set(removed).size).toBe(count);
  expect(removed).not.toContain(real);
  for (const address of before) if (address !== real) expect(removed).toContain(address);
  const gone = new Set(removed);
  expect(after.filter((address) => gone.has(address))).toEqual([]);
  expect(after).toContain(real);
  // All that was there is gone; what is there is new.
  expect(stats.total).toBeLessThan(count);

  const at = client.heard.findLastIndex(({ event }) => event === 'tokens-removed');
  await expect.poll(async () => (await statsOf(admin)).total, { timeout: 20_000 }).toBeGreaterThan(40);
  await expect
    .poll(() => client.heard.slice(at).filter(({ event }) => event === 'token-updates').length, { timeout: 20_000 })
    .toBeGreaterThan(20);
  const later = client.heard.slice(at + 1).map(({ text }) => text);
  const wasHeard = removed.filter((address) => later.some((text) => text.includes(address)));
  expect(wasHeard).toEqual([]);
  expect((await lists(admin)).filter((address) => gone.has(address))).toEqual([]);
  const detail = await admin.call(`/api/tokens/address/${removed[0]}`);
  expect(detail).toMatchObject({ status: 404, body: { code: 'token-not-found' } });
  const left = { $in: removed };
  expect(await tokens.countDocuments({ _id: left })).toBe(0);
  expect(await trades.countDocuments({ address: left })).toBe(0);
  expect(await samples.countDocuments({ address: left })).toBe(0);
  expect(await trades.countDocuments({ address: real })).toBe(1);
  expect(await samples.countDocuments({ address: real })).toBe(1);
}, 90_000);

test('clients of a purely simulated market hear that all is gone [S7.3-02]', async () => {
  server = await startTestServer();
  const admin = await person(server, 'Root', { isAdmin: true });
  const { tokens } = tokenModels(server.connection);
  const numbers = Array.from({ length: 450 }, (_, number) => number);
  await tokens.insertMany(numbers.map((number) => tokenRecord(number, { launchpad: 'simulator' })));
  const client = await feedOf(admin);
  expect((await statsOf(admin)).total).toBe(450);
  expect((await cleanUp(admin)).body).toEqual({ message: 'Successfully cleaned up 450 mock tokens', count: 450 });
  expect(await statsOf(admin)).toMatchObject({ total: 0, newLastHour: 0 });
  expect((await admin.call('/api/tokens')).headers.get('X-Total-Count')).toBe('0');
  await expect.poll(() => client.removals().map(({ text }) => JSON.parse(text))).toEqual([{ seq: 1, all: true }]);
});

test('one run at a time [S7.3-01]', async () => {
  server = await startTestServer();
  const admin = await person(server, 'Root', { isAdmin: true });
  await tokenModels(server.connection).tokens.create(tokenRecord(1, { launchpad: 'simulator' }));
  const replies = await Promise.all(Array.from({ length: 5 }, () => cleanUp(admin)));
  const counts = replies.filter(({ status }) => status === 200).map(({ body }) => output.parse(body).count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const reply of refused) expect(reply).toMatchObject({ status: 409, body: { code: 'already-running' } });
});
